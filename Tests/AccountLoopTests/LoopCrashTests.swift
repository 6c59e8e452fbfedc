import Foundation
import Jobs
import Releases
import TestSupport
import Testing

/// A process that ends at any change in the store or at Apple, and the next one: the final state is the same.
@Suite(.timeLimit(.minutes(30)))
struct LoopCrashTests {
    enum Scenario: String, CaseIterable, Sendable {
        /// A second device joins: it is registered, a profile is created, the build is signed, and the old
        /// profile is deleted.
        case join
        /// A device is removed: it is disabled at Apple.
        case leave
        /// The certificate expires soon: a new one is created, and profiles that list it.
        case certificate
    }

    /// The state that must not depend on crashes.
    private struct End: Equatable {
        let registrations, profilesMade, profilesDeleted, certificatesMade: Int
        /// The devices, by name with their status.
        let devices: [String]
        let profiles: Int
        let listed: Int
        let certificates: Int
        /// Jobs that are not done, or were not.
        let jobs: [String]
        let problems: [String]

        init(of world: LoopWorld) throws {
            let report = try world.apple.report()
            let store = try world.store()
            registrations = report.done("POST", "devices")
            profilesMade = report.done("POST", "profiles")
            profilesDeleted = report.done("DELETE", "profiles")
            certificatesMade = report.done("POST", "certificates")
            devices = report.devices.map {
                "\($0.attributes.name ?? "") \($0.attributes.status ?? "")"
            }.sorted()
            profiles = report.profiles.count
            listed = try world.listed().count
            certificates = report.certificates.count
            jobs = try store.jobs().filter { $0.state != .done }
                .map { "\($0.kind.rawValue) \($0.state.rawValue): \($0.reason ?? "")" }
            problems = report.violations
        }
    }

    /// Runs everything except the scenario's last step.
    private static func world(_ scenario: Scenario, in folder: URL) async throws -> LoopWorld {
        let world = try LoopWorld(
            in: folder,
            certificateDays: scenario == .certificate ? 100 : 365,
        )
        try world.join(1)
        if scenario == .leave { try world.join(2) }
        try await LoopProcess(in: world).settle()
        world.clock.pass(600)
        try world.remember()
        return world
    }

    private static func begin(_ scenario: Scenario, in world: LoopWorld) throws {
        switch scenario {
        case .join: try world.join(2)
        case .leave: try world.leave(2)
        case .certificate: try world.renew(before: 120)
        }
    }

    @Test(arguments: Scenario.allCases)
    func `a process may end after any change`(_ scenario: Scenario) async throws {
        try await withTemporaryFolder { folder in
            let world = try await Self.world(scenario, in: folder)
            try Self.begin(scenario, in: world)
            let fuse = ProcessEnd()
            try await LoopProcess(in: world, fuse).settle()
            let changes = fuse.changes
            let end = try End(of: world)
            try Self.check(end, scenario, changes)
            for number in Self.chosen(of: changes) {
                try world.rewind()
                try Self.begin(scenario, in: world)
                let fuse = ProcessEnd(after: number)
                // The errors at its end are not reported to anyone.
                try? await LoopProcess(in: world, fuse).settle()
                #expect(fuse.isBurnt)
                try await LoopProcess(in: world).settle()
                let found = try End(of: world)
                #expect(
                    found == end,
                    "ended after change \(number) of \(changes.count): \(changes[number - 1])",
                )
            }
        }
    }

    /// All of them if `OTA_EVERY_FAULT` is set; otherwise one in the store, and the first and the last at
    /// Apple.
    private static func chosen(of changes: [String]) -> [Int] {
        guard ProcessInfo.processInfo.environment["OTA_EVERY_FAULT"] != "1" else {
            return Array(1...changes.count)
        }
        let apple = changes.indices.filter { changes[$0].hasPrefix("apple") }
        let store = changes.indices.filter { changes[$0].hasPrefix("store write jobs") }
        let chosen = [apple.first, store.dropFirst(store.count / 2).first, apple.last]
        return Set(chosen.compactMap(\.self)).sorted().map { $0 + 1 }
    }

    private static func check(_ end: End, _ scenario: Scenario, _ changes: [String]) throws {
        #expect(end.jobs == [])
        #expect(end.problems == [])
        #expect(end.profiles == 1)
        #expect(changes.contains { $0.hasPrefix("store write jobs") })
        switch scenario {
        case .join:
            #expect(end.devices == ["Device 1 ENABLED", "Device 2 ENABLED"])
            #expect(end.registrations == 1 && end.listed == 2)
            #expect(end.profilesMade == 1 && end.profilesDeleted == 1)
        case .leave:
            #expect(end.devices == ["Device 1 ENABLED", "Device 2 DISABLED"])
            #expect(end.registrations == 0)
        case .certificate:
            #expect(end.certificatesMade == 1 && end.certificates == 2)
            #expect(end.profilesMade == 1 && end.profilesDeleted == 1 && end.listed == 1)
        }
    }
}
