import Bundles
import Foundation
import Identifiers
import Phone
import Sample
import TestSupport
import Testing

/// A person with a device who got an invitation.
struct LoopTester: Sendable {
    let name: String
    let udid: String
    /// The URL of the invitation.
    let invitation: String
    var phone: SimulatedPhone

    /// The first of an endless sequence of devices, none of which is in a sample's profile.
    static func devices(_ count: Int) -> [String] {
        Array(SampleDevices.list(200 + count).suffix(count))
    }
}

extension LoopRoom {
    private struct Invited: Decodable {
        let url: String
    }

    private struct Listed: Decodable {
        struct Row: Decodable {
            let udid, name, state: String
            let team: String?
        }

        let devices: [Row]
    }

    private struct Jobs: Decodable {
        let jobs: [LoopJob]
    }

    /// Invites a number of testers to an app; every phone trusts the server.
    func invite(
        _ count: Int,
        to app: LoopApp = .sample,
        from first: Int = 1,
    ) async throws -> [LoopTester] {
        var testers: [LoopTester] = []
        let devices = LoopTester.devices(first + count).dropFirst(first)
        for (index, udid) in devices.enumerated() {
            let name = "Tester \(first + index)'s iPhone"
            let invited = try await json(
                "devices",
                "invite",
                "--name",
                name,
                "--app",
                app.slug,
                as: Invited.self,
            )
            let phone = try await SimulatedPhone.trusting(plainBase, in: folder) {
                $0.udid = DeviceUDID(udid)
            }
            testers.append(
                LoopTester(name: name, udid: udid, invitation: invited.url, phone: phone)
            )
        }
        return testers
    }

    /// Follows the invitation on the phone, including the profile that reveals the device's identifier.
    func enrol(_ tester: inout LoopTester) async throws {
        let device = try SampleDevice(certifiedBy: devices, udid: tester.udid)
        let attempt = await tester.phone.enrol(from: tester.invitation) { request in
            try device.answer(challenge: request.challenge ?? "")
        }
        try #require(attempt.arrives, "\(attempt.steps.story)")
    }

    /// Enrols all testers concurrently.
    func enrolTogether(_ testers: [LoopTester]) async throws -> [LoopTester] {
        try await withThrowingTaskGroup(of: LoopTester.self) { group in
            for tester in testers {
                group.addTask {
                    var tester = tester
                    try await self.enrol(&tester)
                    return tester
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Waits until an app's page shows a tester the Install button, and installs; returns the app.
    func install(
        _ tester: LoopTester,
        _ app: LoopApp = .sample,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) async throws -> InstalledApp {
        let page = base + app.page
        let open = try OpenPage(page, on: tester.phone)
        try await eventually(
            within: .seconds(90),
            "the page offers the build to \(tester.name)",
            sourceLocation: sourceLocation,
        ) {
            try await open.look().text.contains("itms-services")
        }
        return try InstalledApp(try await tester.phone.bytes(from: page))
    }

    func state(of tester: LoopTester) async throws -> String? {
        try await row(of: tester)?.state
    }

    /// The team in whose developer account the tester's device is registered; nil if only one team has one.
    func team(of tester: LoopTester) async throws -> String? { try await row(of: tester)?.team }

    private func row(of tester: LoopTester) async throws -> Listed.Row? {
        try await json("devices", "list", "--all", as: Listed.self).devices
            .first { $0.udid == tester.udid }
    }

    func jobs(open: Bool = false) async throws -> [LoopJob] {
        open
            ? try await json("jobs", "list", "--open", as: Jobs.self).jobs
            : try await json("jobs", "list", "--limit", "200", as: Jobs.self).jobs
    }

    /// Waits until no job is left and `isSo` is true.
    func settle(
        _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ isSo: () async throws -> Bool = { true },
    ) async throws {
        try await eventually(within: .seconds(120), what, sourceLocation: sourceLocation) {
            guard try await isSo() else { return false }
            return try await jobs(open: true).isEmpty
        }
    }
}

extension InstalledApp {
    /// The identifiers of the devices in its profile.
    func devices() throws -> Set<String> {
        Set(try #require(bundle.profile).claims().devices?.map(\.rawValue) ?? [])
    }

    /// The devices of every bundle in it that has a profile, by its identifier.
    func devicesByBundle() throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for inner in bundle.everyBundle {
            guard let profile = inner.profile else { continue }
            found[inner.info.bundleIdentifier?.rawValue ?? ""] = Set(
                try profile.claims().devices?.map(\.rawValue) ?? []
            )
        }
        return found
    }
}

/// A job, as `ota jobs list` shows it.
struct LoopJob: Decodable {
    let id, kind, state: String
    let reason, fix: String?
}
