import Foundation
import Sample
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `ota serve` is killed with SIGKILL at each change that it makes at Apple.
///
/// It is killed before the change, before the response and after it; the next server reaches the same final
/// state.
///
/// The store's changes in between are enumerated by tests that run the loop in one process.
@Suite(.timeLimit(.minutes(60)))
struct LoopKillTests {
    private static let isEvery = ProcessInfo.processInfo.environment["OTA_EVERY_FAULT"] == "1"

    private struct End: Equatable {
        let devices: [String]
        let registered, profilesMade, profilesDeleted, certificatesMade: Int
        let profiles: Int
        let listed: Set<String>
        let unfinished: [String]

        init(of room: LoopRoom) async throws {
            let report = try await room.apple.report()
            devices = report.devices.map {
                "\($0.attributes.udid ?? "") \($0.attributes.status ?? "")"
            }.sorted()
            registered = report.done("POST", "devices")
            profilesMade = report.done("POST", "profiles")
            profilesDeleted = report.done("DELETE", "profiles")
            certificatesMade = report.done("POST", "certificates")
            profiles = report.profiles.count
            listed = Set(report.profiles.flatMap { report.profileDevices[$0.id] ?? [] })
            unfinished = try await room.jobs().filter { $0.state != "done" }.map(\.kind)
        }
    }

    @Test func `a device joins`() async throws {
        try await LoopRoom.run { room in
            try await room.setUp(approval: "automatic")
            try await Self.enumerate(room, changes: 3) {
                try await room.join(2)
            } isDone: { report in
                report.devices.count == 2 && report.profiles.count == 1
                    && report.profiles.allSatisfy { report.profileDevices[$0.id]?.count == 2 }
            }
        }
    }

    @Test(.enabled(if: isEvery, "OTA_EVERY_FAULT=1"))
    func `a certificate is renewed`() async throws {
        try await LoopRoom.run { room in
            try await room.setUp(approval: "automatic", certificateDays: 100)
            try await Self.enumerate(room, changes: 3) {
                try await room.ota("apps", "set", "sample", "--renew-before", "120")
            } isDone: { report in
                report.certificates.count == 2 && report.profiles.count == 1
                    && report.done("POST", "profiles") == 1
            }
        }
    }

    /// Kills the server at each of the given number of changes at Apple, after `begin` has triggered them.
    private static func enumerate(
        _ room: LoopRoom,
        changes: Int,
        _ begin: () async throws -> Void,
        isDone: (AppleReport) -> Bool,
    ) async throws {
        try await room.join(1)
        try await room.serve()
        try await room.settle("the first device is there") {
            try await room.apple.report().profiles.count == 1
        }
        try await room.stop()
        try await room.remember()

        try await begin()
        try await room.serve()
        try await room.settle("it is done") { isDone(try await room.apple.report()) }
        try await room.stop()
        let end = try await End(of: room)
        let log = try await room.apple.report().requests
        #expect(log.count { $0.method != "GET" } == changes)
        #expect(end.unfinished == [])

        let points = (0..<changes).flatMap { number in
            ["arrival", "unanswered", "answered"].map { (number, $0) }
        }
        for (number, moment) in isEvery ? points : Self.chosen(of: points) {
            try await room.rewind()
            try await begin()
            try await room.serve()
            let process = try #require(room.processIdentifier)
            try await room.apple.order(
                """
                {"traps": [{"kind": "kill", "process": \(process), "skip": \(number),
                "moment": "\(moment)"}]}
                """
            )
            try await room.waitForEnd()
            try await room.serve()
            try await room.settle("it is done") { isDone(try await room.apple.report()) }
            try await room.stop()
            let found = try await End(of: room)
            #expect(found == end, "killed at change \(number + 1): \(moment)")
        }
    }

    /// One point for each kind of moment, at different changes.
    private static func chosen(of points: [(Int, String)]) -> [(Int, String)] {
        stride(from: 0, to: points.count, by: 4).map { points[$0] }
    }
}

extension LoopRoom {
    /// Adds a device by its identifier, as an admin.
    fileprivate func join(_ number: Int) async throws {
        let udid = SampleDevices.list(number + 1)[number]
        try await ota("devices", "add", udid, "--name", "Device \(number)")
    }
}
