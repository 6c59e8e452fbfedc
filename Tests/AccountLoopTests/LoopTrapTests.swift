import Foundation
import Identifiers
import Jobs
import Releases
import Store
import TeamUpkeep
import TestSupport
import Testing

/// Problems at Apple: admins and the waiting tester learn what is wrong, and once it is solved, the loop
/// completes by itself.
@Suite(.timeLimit(.minutes(10)))
struct LoopTrapTests {
    struct Trap: Sendable, CustomTestStringConvertible {
        let name: String
        /// A `ControlOrder`.
        let order: String
        /// The order that ends the problem.
        var end = #"{"clearsTraps": true}"#
        /// A part of the sentence that admins read.
        let admin: String
        /// A part of the sentence that the tester reads.
        let tester: String
        /// Whether a person has to act before the loop continues.
        var needsPerson = false

        var testDescription: String { name }
    }

    private static let soon = "Apple is taking longer than usual"
    private static let fixing = "Your team has to fix a problem first"

    /// A trap for as many requests as a job may send.
    private static func lasting(_ trap: String) -> String {
        #"{"traps": [{"count": 1000, \#(trap)}]}"#
    }

    static let traps = [
        Trap(
            name: "429 without Retry-After",
            order: lasting(#""kind": "rateLimited""#),
            admin: "accepts no more requests",
            tester: soon,
        ),
        Trap(
            name: "429 with Retry-After",
            order: lasting(#""kind": "rateLimited", "retryAfter": 900"#),
            admin: "accepts no more requests",
            tester: soon,
        ),
        Trap(
            name: "a burst of 500",
            order: lasting(#""kind": "status", "status": 500"#),
            admin: "failed with HTTP status 500",
            tester: soon,
        ),
        Trap(
            name: "cut connections",
            order: lasting(#""kind": "cut""#),
            admin: "cannot be reached",
            tester: soon,
        ),
        Trap(
            name: "answers that never come",
            order: lasting(#""kind": "cutAfter""#),
            admin: "cannot be reached",
            tester: soon,
        ),
        Trap(
            name: "half answers",
            order: lasting(#""kind": "garbage""#),
            admin: "sent an answer that cannot be read",
            tester: soon,
        ),
        Trap(
            name: "lists that go on elsewhere",
            order: lasting(#""kind": "foreignLink", "method": "GET", "path": "/v1/devices""#),
            admin: "sent a list whose next page is on another server",
            tester: fixing,
            needsPerson: true,
        ),
        Trap(
            name: "an agreement",
            order: lasting(#""kind": "agreement""#),
            admin: "accept an agreement",
            tester: "Your team has to accept an agreement with Apple first",
            needsPerson: true,
        ),
        Trap(
            name: "a key that was revoked",
            order: #"{"isKeyRevoked": true}"#,
            end: #"{"isKeyRevoked": false}"#,
            admin: "rejected the API key",
            tester: fixing,
            needsPerson: true,
        ),
        Trap(
            name: "a key that may only read",
            order: #"{"mayChange": false}"#,
            end: #"{"mayChange": true}"#,
            admin: "does not have the role",
            tester: fixing,
            needsPerson: true,
        ),
        Trap(
            name: "no slot left",
            order: #"{"deviceLimit": 1}"#,
            end: #"{"deviceLimit": 100}"#,
            admin: "no slot left",
            tester: "Your team cannot register any more devices this year",
            needsPerson: true,
        ),
        Trap(
            name: "a device that Apple is processing",
            order: #"{"newDeviceStatus": "PROCESSING"}"#,
            end: #"{"finishesProcessing": true}"#,
            admin: "Apple",
            tester: "still processing it",
        ),
    ]

    @Test(arguments: traps)
    func `it is said, and passes`(_ trap: Trap) async throws {
        try await withTemporaryFolder { folder in
            let world = try LoopWorld(in: folder)
            try world.join(1)
            try await LoopProcess(in: world).settle()
            world.clock.pass(600)
            world.apple.order(trap.order)
            try world.join(2)
            let process = try LoopProcess(in: world)
            try await process.run(until: world.clock.now + 1800)
            try said(of: trap, in: world)

            world.apple.order(trap.end)
            try await process.run(until: world.clock.now + 6 * 3600)
            try await process.settle()
            let both = Set(try [1, 2].map { try LoopWorld.udid($0) })
            #expect(try world.listed() == both)
            #expect(try world.currentTeam().account?.trouble == nil)
            let report = try world.apple.report()
            #expect(report.devices.count == 2 && report.profiles.count == 1)
            #expect(report.violations == [])
        }
    }

    private func said(of trap: Trap, in world: LoopWorld) throws {
        let store = try world.store()
        let team = try world.currentTeam()
        let open = try store.openJobs()
        let waiting = try #require(open.first { $0.kind == .registerDevice })
        let reason = try #require(waiting.reason)
        #expect(reason.contains(trap.admin), "\(reason)")
        if trap.needsPerson {
            #expect(team.account?.trouble?.needsPerson == true)
            #expect(team.account?.trouble?.message.contains(trap.admin) == true)
            #expect(team.account?.trouble?.fix.isEmpty == false)
            let told = try store.activity(count: 100).filter { $0.event == .accountBlocked }
            #expect(told.count == 1, "admins are told once: \(told.count)")
        }
        let device = try #require(try store.devices()[try LoopWorld.udid(2)])
        let progress = DeviceProgress(
            of: device,
            team: team,
            isInBuild: false,
            jobs: try store.jobs(),
            at: world.clock.now,
        )
        #expect(progress.sentence.contains(trap.tester), "\(progress.sentence)")
        #expect(progress.isStopped == trap.needsPerson)
        // The texts contain no secret and no device identifier.
        let texts = [reason, waiting.fix ?? "", progress.sentence]
        #expect(!texts.contains { $0.contains(device.udid.rawValue) || $0.contains("Bearer") })
    }

    @Test func `reads that are stale, and a token that is refused in the middle, change nothing`()
        async throws
    {
        let isEvery = ProcessInfo.processInfo.environment["OTA_EVERY_FAULT"] == "1"
        for kind in [#""kind": "stale""#, #""kind": "unauthorised""#] {
            for skip in isEvery ? Array(0..<12) : [1, 4, 7] {
                try await withTemporaryFolder { folder in
                    let world = try LoopWorld(in: folder)
                    try world.join(1)
                    world.apple.order(#"{"traps": [{\#(kind), "skip": \#(skip)}]}"#)
                    try await LoopProcess(in: world).settle()
                    let report = try world.apple.report()
                    #expect(report.devices.count == 1 && report.profiles.count == 1, "\(skip)")
                    #expect(try world.listed() == [try LoopWorld.udid(1)])
                }
            }
        }
    }

    @Test func `a device that somebody disabled at Apple is left alone, and said`() async throws {
        try await withTemporaryFolder { folder in
            let world = try LoopWorld(in: folder)
            try world.join(1)
            try world.join(2)
            try await LoopProcess(in: world).settle()
            let udid = try LoopWorld.udid(2)
            let order = { (status: String) in
                #"{"devices": [{"udid": "\#(udid.rawValue)", "status": "\#(status)"}]}"#
            }
            world.apple.order(order("DISABLED"))
            // The account is compared once a day.
            try await LoopProcess(in: world).run(until: world.clock.now + 25 * 3600)
            let store = try world.store()
            let device = try #require(try store.devices()[udid])
            let progress = DeviceProgress(
                of: device,
                team: try world.currentTeam(),
                isInBuild: false,
                jobs: try store.jobs(),
                at: world.clock.now,
            )
            #expect(progress.isStopped && progress.sentence.contains("disabled"))
            let report = try world.apple.report()
            #expect(report.devices.count { $0.attributes.status == "DISABLED" } == 1)

            world.apple.order(order("ENABLED"))
            try await LoopProcess(in: world).run(until: world.clock.now + 25 * 3600)
            #expect(try world.listed().contains(udid))
        }
    }

    @Test func `a certificate that somebody revoked needs an admin, and then nothing else`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let world = try LoopWorld(in: folder)
            try world.join(1)
            try await LoopProcess(in: world).settle()
            let serial = try #require(try world.currentTeam().identity?.serial)
            world.apple.order(#"{"revokedCertificates": ["\#(serial)"]}"#)
            try world.join(2)
            let process = try LoopProcess(in: world)
            try await process.run(until: world.clock.now + 3600)
            let open = try world.store().openJobs()
            let waiting = try #require(open.first { $0.kind == .renewProfile })
            #expect(waiting.reason?.contains("certificate") == true, "\(waiting.reason ?? "")")
            #expect(waiting.fix?.isEmpty == false)

            try world.askForCertificate()
            try await process.run(until: world.clock.now + 6 * 3600)
            try await process.settle()
            #expect(try world.listed() == Set(try [1, 2].map { try LoopWorld.udid($0) }))
            let report = try world.apple.report()
            #expect(report.certificates.count == 1)
            #expect(report.profiles.count == 1)
            #expect(report.profiles.first?.attributes.profileState == "ACTIVE")
        }
    }
}

extension LoopWorld {
    /// Requests a certificate, as `ota teams certificate --create` does.
    fileprivate func askForCertificate() throws {
        let now = clock.now
        _ = try store().add(
            Job(
                JobIdentifier(at: now, random: clock.bytes),
                .renewCertificate,
                for: team,
                because: "requested",
                by: "ada",
                at: now,
                due: now,
            )
        )
    }
}
