import Foundation
import Phone
import Sample
import TestSupport
import Testing

/// Two teams on one server, each with its own app and developer account.
@Suite(.timeLimit(.minutes(10)))
struct LoopTeamsTests {
    private struct Jobs: Decodable {
        struct Row: Decodable {
            let kind, state: String
            let team: String?
        }

        let jobs: [Row]
    }

    @Test func `each device goes to its own team, and one team's trouble stops only that team`()
        async throws
    {
        try await LoopRoom.run { room in
            let (ours, theirs) = (LoopApp.sample, LoopApp.browsey)
            let other = try await room.apple.opening(accountOf: theirs.team)
            try await room.setUp(ours, approval: "automatic")
            try await room.setUp(theirs, at: other, approval: "automatic")
            try await other.order(#"{"traps": [{"kind": "agreement", "count": 1000}]}"#)
            try await room.serve()
            var mine = try #require(try await room.invite(1, to: ours).first)
            var yours = try #require(try await room.invite(1, to: theirs, from: 2).first)
            try await room.enrol(&yours)
            try await room.enrol(&mine)

            // A problem of the other team's account is shown only to its own tester.
            #expect(try await room.install(mine, ours).devices() == [mine.udid])
            let page = try OpenPage(room.base + theirs.page, on: yours.phone)
            _ = try await page.text("the page says what it waits for") {
                $0.contains("accept an agreement with Apple")
            }
            #expect(try await room.team(of: mine) == ours.team.identifier)
            #expect(try await room.team(of: yours) == theirs.team.identifier)
            #expect(try await room.state(of: yours) == "approved")
            #expect(try await other.report().devices.isEmpty)
            // Jobs of our team may still clean up.
            try await eventually(within: .seconds(60), "only their jobs are open") {
                let open = try await room.json("jobs", "list", "--open", as: Jobs.self).jobs
                return Set(open.map(\.team)) == [theirs.team.identifier]
            }

            try await other.order(#"{"clearsTraps": true}"#)
            let open = try await room.jobs(open: true)
            for job in open { try await room.ota("jobs", "retry", job.id) }
            #expect(try await room.install(yours, theirs).devices() == [yours.udid])
            try await room.settle("all jobs are done")
            try await Self.expectApart(room, mine, yours, other)
            try await room.stop()
            #expect(try await other.report().violations == [])
        }
    }

    /// Checks that each account has its own device and nothing of the other team.
    private static func expectApart(
        _ room: LoopRoom,
        _ mine: LoopTester,
        _ yours: LoopTester,
        _ other: AppleSite,
    ) async throws {
        let reports = [
            (try await room.apple.report(), mine, LoopApp.sample),
            (try await other.report(), yours, LoopApp.browsey),
        ]
        for (report, tester, app) in reports {
            #expect(report.devices.map(\.attributes.udid) == [tester.udid])
            #expect(Set(report.profileBundles.values) == Set(app.bundles))
            #expect(report.done("POST", "devices") == 1 && report.done("POST", "profiles") == 1)
            let slots = try await room.json("devices", "slots", as: Slots.self).slots
            let own = slots.filter { $0.team == app.team.identifier && $0.family == "iphone" }
            #expect(own.map(\.used) == [1])
        }
    }

    private struct Slots: Decodable {
        struct Row: Decodable {
            let family: String
            let team: String?
            let used: Int
        }

        let slots: [Row]
    }
}
