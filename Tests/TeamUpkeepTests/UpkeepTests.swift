@testable import AppleServer
import Cryptography
import Foundation
import Identifiers
import Jobs
import Releases
import Sample
import Store
import TeamUpkeep
import TestSupport
import Testing

/// The loop from an approved device to a build that lists it, with the App Store Connect test server.
struct UpkeepTests {
    @Test func `a device that is approved is in the build soon after`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            try room.approve(1..<2)
            try await room.settle()
            #expect(try room.store.devices()[room.udid(1)]?.state == .registered)
            #expect(try room.listed() == [room.udid(1)])
            let end = try room.end()
            #expect(end.profiles == [["Device 1"]])
            #expect(end.openJobs == 0 && end.isTeamWhole && end.certificates == 1)
            let events = try room.store.activity(count: 50).map(\.event)
            for event in [
                Activity.Event.deviceRegistered, .profileMade, .certificateMade, .signedAgain,
            ] {
                #expect(events.count { $0 == event } == 1, "\(event)")
            }
            #expect(room.api.violations == [])
        }
    }

    @Test func `ten devices that join within a minute cost one profile`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            for number in 1...10 {
                try room.approve(number..<number + 1)
                try await room.settle(within: 5)
                room.clock.pass(1)
            }
            try await room.settle()
            #expect(try room.listed().count == 10)
            let events = try room.store.activity(count: 100).map(\.event)
            #expect(events.count { $0 == .profileMade } == 1)
            #expect(events.count { $0 == .deviceRegistered } == 10)
            #expect(try room.end().profiles.count == 1)
        }
    }

    @Test func `a further device takes the place of a profile, which is deleted`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            try room.approve(1..<2)
            try await room.settle()
            try room.approve(2..<3)
            try await room.settle()
            #expect(try room.listed() == [room.udid(1), room.udid(2)])
            let end = try room.end()
            #expect(end.profiles == [["Device 1", "Device 2"]] && end.isTeamWhole)
            let events = try room.store.activity(count: 100).map(\.event)
            #expect(events.count { $0 == .profileDeleted } == 1)
        }
    }

    @Test func `a device that Apple is processing is waited for, and the others go on`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            room.api.order(#"{"newDeviceStatus": "PROCESSING"}"#)
            try room.approve(1..<2)
            try await room.settle(within: 30)
            room.api.order(#"{"newDeviceStatus": "ENABLED"}"#)
            try room.approve(2..<3)
            try await room.settle(within: 300)
            #expect(try room.store.devices()[room.udid(1)]?.state == .approved)
            #expect(try room.listed() == [room.udid(2)])
            let open = try #require(try room.store.openJobs().first)
            #expect(open.kind == .registerDevice && open.registration?.pending == 1)
            room.api.order(#"{"finishesProcessing": true}"#)
            try await room.settle(within: 7200)
            #expect(try room.listed() == [room.udid(1), room.udid(2)])
            #expect(try room.end().openJobs == 0)
        }
    }

    @Test func `an agreement is waited for, and it goes on by itself`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            room.api.order(#"{"traps": [{"kind": "agreement", "count": 3}]}"#)
            try room.approve(1..<2)
            try await room.settle(within: 60)
            let trouble = try #require(try room.currentTeam().account?.trouble)
            #expect(trouble.id == "apple.agreement" && trouble.needsPerson)
            let open = try #require(try room.store.openJobs().first)
            #expect(open.reason == trouble.message && open.fix == trouble.fix)
            try await room.settle(within: 4 * 3600)
            #expect(try room.currentTeam().account?.trouble == nil)
            #expect(try room.listed() == [room.udid(1)])
            let events = try room.store.activity(count: 100).map(\.event)
            #expect(events.count { $0 == .accountBlocked } == 1)
        }
    }

    @Test func `a device without a slot waits, and the others are registered`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            room.api.order(#"{"deviceLimit": 2}"#)
            try room.approve(1..<4)
            try await room.settle(within: 1800)
            #expect(try room.listed().count == 2)
            #expect(try room.currentTeam().account?.trouble?.id == "apple.no-slot")
            let open = try #require(try room.store.openJobs().first)
            #expect(open.registration?.refused?.count == 1 && open.fix != nil)
            room.api.order(#"{"deviceLimit": 3}"#)
            try await room.settle(within: 7200)
            #expect(try room.listed().count == 3)
            #expect(try room.currentTeam().account?.trouble == nil)
        }
    }

    @Test func `a device that is disabled at Apple is told of once and left as it is`() async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            try room.approve(1..<3)
            try await room.settle()
            let udid = try room.udid(1)
            room.api.order(#"{"devices": [{"udid": "\#(udid)", "status": "DISABLED"}]}"#)
            for _ in 0..<3 {
                room.clock.pass(86_500)
                try await room.settle()
            }
            #expect(try room.currentTeam().account?.snapshot?[udid] == .disabled)
            #expect(room.api.account.devices.contains { $0.status == "DISABLED" })
            let events = try room.store.activity(count: 200).map(\.event)
            #expect(events.count { $0 == .accountDiffers } == 1)
            #expect(try room.store.openJobs().isEmpty)
        }
    }

    @Test func `profiles leave out who has left a day later, all of them at once`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            try room.approve(1..<5)
            try await room.settle()
            for number in 2..<5 {
                try room.store.changeDevices { register in
                    _ = try register.disable(room.udid(number), at: room.clock.now, by: "ada")
                }
                try await room.settle()
                room.clock.pass(3600)
            }
            let everybody = Set(try (1..<5).map { try room.udid($0) })
            #expect(try room.listed() == everybody)
            // Disabled at Apple at once, it stays in the profile for now.
            #expect(room.api.account.devices.count { $0.status == "DISABLED" } == 3)
            #expect(room.api.account.profiles.count == 1)
            room.clock.pass(86_400)
            try await room.settle()
            #expect(try room.listed() == [room.udid(1)])
            #expect(try room.end().profiles == [["Device 1"]])
            let events = try room.store.activity(count: 200).map(\.event)
            #expect(events.count { $0 == .profileMade } == 2)
            room.clock.pass(2 * 86_400)
            try await room.settle()
            let later = try room.store.activity(count: 200).map(\.event)
            #expect(later.count { $0 == .profileMade } == 2)
            #expect(try room.store.openJobs().isEmpty)
        }
    }

    @Test func `what ends soon is renewed, and the old certificate stays`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            try room.approve(1..<2)
            try await room.settle()
            let first = try #require(try room.currentTeam().identity)
            room.clock.pass(first.expires.timeIntervalSince(room.clock.now) - 20 * 86_400)
            try await room.settle()
            let second = try #require(try room.currentTeam().identity)
            #expect(second.expires > first.expires && second.sha256 != first.sha256)
            let end = try room.end()
            #expect(end.certificates == 2 && end.profiles.count == 1 && end.isTeamWhole)
            #expect(try room.listed() == [room.udid(1)])
            #expect(try room.store.openJobs().isEmpty)
        }
    }

    @Test func `a profile that is no longer valid at Apple is made anew`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            try room.approve(1..<3)
            try await room.settle()
            let before = try #require(try room.currentTeam().profiles.first)
            let udid = try room.udid(1)
            room.api.order(#"{"devices": [{"udid": "\#(udid)", "isRemoved": true}]}"#)
            room.clock.pass(86_500)
            try await room.settle()
            let after = try #require(try room.currentTeam().profiles.first)
            #expect(after.uuid != before.uuid)
            #expect(try room.listed() == [room.udid(2)])
            #expect(try room.end().profiles == [["Device 2"]])
        }
    }

    @Test(arguments: [true, false])
    func `what an admin signs finds a profile with the new device`(isManual: Bool) async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            let before = try room.listed()
            _ = try room.store.changeApp(room.app) { app in
                if isManual { app.signing = .manual } else { app.freshChannels = [] }
            }
            try room.approve(1..<2)
            try await room.settle()
            #expect(try room.end().profiles == [["Device 1"]])
            #expect(try room.listed() == before && room.store.openJobs().isEmpty)
            let state = try UpkeepState(
                room.store,
                trusting: room.anchors,
                at: room.clock.now,
            )
            let build = try #require(state.builds.first)
            #expect(build.isBetter && !build.isUnchanged && !build.isKeptFresh)
        }
    }

    @Test func `a certificate that an admin asks for is made before anybody agreed`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder, isReady: false)
            try room.store.changeTeam(room.team) { $0.account?.agreed = nil }
            let now = room.clock.now
            let jobs = [Job.Kind.renewCertificate, .registerDevice].map { kind in
                Job(
                    JobIdentifier(at: now, random: randomBytes),
                    kind,
                    for: room.team,
                    because: "requested",
                    by: "ada",
                    at: now,
                    due: now,
                )
            }
            for job in jobs { _ = try room.store.add(job) }
            try await room.settle()
            let states = try jobs.map { try room.store.job($0.identifier)?.state }
            #expect(states == [.done, .failed])
            #expect(try room.currentTeam().identity != nil)
            #expect(try room.store.openJobs().isEmpty)
        }
    }

    @Test func `what waits for a person goes on as soon as the team has another key`() async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            room.api.order(#"{"traps": [{"kind": "agreement", "count": 1}]}"#)
            try room.approve(1..<2)
            try await room.settle(within: 60)
            let open = try #require(try room.store.openJobs().first)
            #expect(open.fix != nil)
            try await room.settle(within: 60)
            #expect(try room.store.job(open.identifier)?.state == .waiting)
            try room.store.changeTeam(room.team) { team in
                guard let account = team.account else { return }
                var renewed = TeamAccount(
                    issuer: account.issuer,
                    keyID: account.keyID,
                    sealed: account.sealed,
                    added: room.clock.now,
                    addedBy: "ada",
                )
                renewed = renewed.succeeding(account)
                team.account = renewed
            }
            try await room.settle()
            #expect(try room.listed() == [room.udid(1)])
        }
    }
}
