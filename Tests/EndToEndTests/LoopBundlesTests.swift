import Foundation
import Phone
import TestSupport
import Testing

/// The closed loop with an app whose extensions and watch app need a profile each.
@Suite(.timeLimit(.minutes(10)))
struct LoopBundlesTests {
    @Test func `ten that join at once cost one profile for each bundle`() async throws {
        try await LoopRoom.run { room in
            let forks = LoopApp.forks
            try await room.setUp(forks, approval: "automatic")
            try await room.serve(gather: "10s")
            var testers = try await room.enrolTogether(try await room.invite(10, to: forks))
            try await Self.expectInstalls(testers, for: Set(testers.map(\.udid)), in: room)
            try await room.settle("all jobs are done")
            let report = try await room.apple.report()
            #expect(report.done("POST", "devices") == 10)
            #expect(report.done("POST", "profiles") == forks.bundles.count)
            #expect(report.done("DELETE", "profiles") == 0)
            #expect(Set(report.profileBundles.values) == Set(forks.bundles))

            // One more device costs one more profile for each bundle, and the old ones are deleted.
            var last = try #require(try await room.invite(1, to: forks, from: 11).first)
            try await room.enrol(&last)
            testers.append(last)
            let everybody = Set(testers.map(\.udid))
            try await Self.expectInstalls([last, testers[0]], for: everybody, in: room)
            try await room.settle("all jobs are done")
            let after = try await room.apple.report()
            #expect(after.done("POST", "profiles") == 2 * forks.bundles.count)
            #expect(after.profiles.count == forks.bundles.count)
            #expect(Set(after.profileBundles.values) == Set(forks.bundles))
            #expect(after.profileDevices.values.allSatisfy { Set($0) == everybody })
            #expect(try await room.jobs().allSatisfy { $0.state == "done" })
            try await room.stop()
        }
    }

    @Test func `a bundle that has no App ID is named, and once it has one all goes on`()
        async throws
    {
        try await LoopRoom.run { room in
            let forks = LoopApp.forks
            let share = "com.example.forks.ForksShare"
            let others = forks.bundles.filter { $0 != share }
            try await room.setUp(forks, registering: others, approval: "automatic")
            try await room.serve()
            var tester = try #require(try await room.invite(1, to: forks).first)
            try await room.enrol(&tester)
            var found: LoopJob?
            try await eventually(within: .seconds(60), "the job says what is missing") {
                found = try await room.jobs(open: true).first { $0.kind == "renew-profile" }
                return found?.reason?.contains(share) == true
            }
            let waiting = try #require(found)
            #expect(waiting.state == "waiting")
            #expect(waiting.fix?.contains("developer.apple.com") == true)
            let page = try OpenPage(room.base + forks.page, on: tester.phone)
            let text = try await page.look().text
            #expect(text.contains("have to fix a problem first"), "\(text)")

            try await room.apple.order(try forks.registration(of: [share]))
            try await room.ota("jobs", "retry", waiting.id)
            try await Self.expectInstalls([tester], for: [tester.udid], in: room)
            try await room.settle("all jobs are done")
            let report = try await room.apple.report()
            #expect(Set(report.profileBundles.values) == Set(forks.bundles))
            // The existing profiles are still used.
            #expect(report.done("POST", "profiles") == forks.bundles.count)
            try await room.stop()
        }
    }

    /// Checks that each of them gets a build with a profile in every bundle that lists all of `devices`.
    private static func expectInstalls(
        _ testers: [LoopTester],
        for devices: Set<String>,
        in room: LoopRoom,
    ) async throws {
        let forks = LoopApp.forks
        for tester in testers {
            let found = try await room.install(tester, forks).devicesByBundle()
            #expect(Set(found.keys) == Set(forks.bundles), "\(tester.name)")
            for (bundle, listed) in found {
                let (lacking, more) = (devices.subtracting(listed), listed.subtracting(devices))
                #expect(lacking.isEmpty, "\(bundle) on \(tester.name)")
                #expect(more.isEmpty, "\(bundle) on \(tester.name)")
            }
        }
    }
}
