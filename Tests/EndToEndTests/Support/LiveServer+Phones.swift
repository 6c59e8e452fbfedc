import Bundles
import Foundation
import Identifiers
import Phone
import Testing

extension LiveServer {
    /// Returns a phone whose owner has trusted the server on `/trust` of the plain port.
    func phone(_ prepare: (inout SimulatedPhone) -> Void = { _ in }) async throws -> SimulatedPhone
    {
        try await SimulatedPhone.trusting(plainBase, in: folder, prepare)
    }
}

extension SimulatedPhone {
    /// Returns a new phone whose owner has trusted a server on `/trust` of its plain port.
    static func trusting(
        _ plainBase: String,
        in folder: URL,
        _ prepare: (inout SimulatedPhone) -> Void,
    ) async throws -> SimulatedPhone {
        let downloads = folder.appending(path: "phone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: true)
        var phone = SimulatedPhone(downloads: downloads)
        phone.os = OSVersion(major: 26, minor: 0)
        prepare(&phone)
        let trusting = await phone.trustServer(plainBase)
        try #require(trusting.outcome == .passed, "\(trusting.detail)")
        return phone
    }

    /// Installs from a page and returns the received bytes.
    func bytes(from page: String) async throws -> [UInt8] {
        let attempt = await install(from: page)
        try #require(attempt.installs, "\(attempt.story)")
        let installation = try #require(attempt.installation)
        return Array(try Data(contentsOf: installation.file))
    }
}

extension [Step] {
    /// Every step on one line, for the message of a failing test.
    var story: String {
        map { "\($0.outcome) \($0.title): \($0.detail)" }.joined(separator: "\n")
    }
}

extension SimulatedInstall {
    var story: String { steps.story }

    var faultIDs: [FaultID] { faults.map(\.id) }
}
