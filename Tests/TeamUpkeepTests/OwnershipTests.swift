@testable import AppleServer
import Foundation
import Identifiers
import Jobs
import Releases
import Store
import TeamUpkeep
import TestSupport
import Testing

/// What the server does not touch, and what it keeps until it is replaced.
struct OwnershipTests {
    @Test func `a profile with the mark that this store has not made stays`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            try room.approve(1..<2)
            try await room.settle()
            // The state of a copy of the store that lacks the record of the profile.
            let made = try #require(try room.currentTeam().profiles.first?.accountID)
            _ = try room.store.changeTeam(room.team) { team in
                for profile in team.profiles { _ = team.removeProfile(profile.uuid) }
                team.forget(replaced: [made])
            }
            for job in try room.store.jobs() {
                _ = try room.store.changeJob(job.identifier, at: room.clock.now) { job in
                    job.renewal?.drafts = []
                    job.renewal?.superseded = []
                    job.renewal?.abandoned = nil
                }
            }
            try room.approve(2..<3)
            try await room.settle()
            #expect(room.api.account.profiles.count == 2)
            #expect(room.api.account.profiles.contains { $0.id == made })
            #expect(try room.listed() == [room.udid(1), room.udid(2)])
        }
    }

    @Test func `a certificate waits while a bundle would lose its profile`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            try room.approve(1..<2)
            try await room.settle()
            let before = try room.currentTeam()
            try room.store.changeDevices { register in
                _ = try register.forget(room.udid(1))
            }
            let end = try #require(before.identity).expires
            room.clock.pass(end.timeIntervalSince(room.clock.now) - 20 * 86_400)
            try await room.settle()
            let after = try room.currentTeam()
            #expect(after.identity == before.identity && after.profiles == before.profiles)
            #expect(after.account?.trouble?.needsPerson == true)
            let open = try #require(
                try room.store.openJobs().first { $0.kind == .renewCertificate }
            )
            #expect(open.state == .waiting && open.fix != nil)
        }
    }

    @Test func `a device of another team joins as a further one, and leaves`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            let other = try #require(TeamIdentifier("OTHER67890"))
            try room.approve(1..<3)
            let (own, guest) = (try room.udid(1), try room.udid(2))
            try room.store.changeDevices { register in
                try register.move(
                    guest,
                    to: other,
                    ownedBy: other,
                    from: room.team,
                    at: room.clock.now,
                    by: "ada",
                )
            }
            try await room.settle()
            #expect(try room.listed() == [own])
            let change = { (change: (inout DeviceRegister) throws -> Void) in
                _ = try room.store.changeDevices(change)
            }
            try change {
                try $0.join(guest, room.team, ownedBy: other, at: room.clock.now, by: "ada")
            }
            try await room.settle()
            let joined = try #require(try room.store.devices()[guest])
            #expect(joined.place(in: room.team.rawValue)?.state == .registered)
            // It was not registered in the account of its own team.
            #expect(joined.state == .approved && joined.team == other.rawValue)
            #expect(try room.listed() == [own, guest])
            room.clock.pass(60)
            try change { try $0.leave(guest, room.team, at: room.clock.now, by: "ada") }
            // A device that leaves causes no new profile, but the next profile does not list it.
            room.clock.pass(60)
            try room.approve(3..<4)
            try await room.settle()
            #expect(try room.listed() == [own, room.udid(3)])
            #expect(room.api.account.devices.count { $0.status == "DISABLED" } == 1)
            #expect(try room.store.devices()[guest]?.state == .approved)
            #expect(room.api.violations == [])
        }
    }

    @Test func `devices that name no team go to the one that had the only account`() throws {
        let team = try #require(TeamIdentifier("ABCDE12345"))
        let udid = try #require(DeviceUDID("00008120-000A1B2C3D4E5F67"))
        let date = UpkeepRoom.start
        var register = DeviceRegister()
        register.renewal = date
        let device = Device(udid: udid, name: "Ana", family: .iphone, added: date)
        try register.add(device, at: date)
        #expect(register.assignRest(to: team) == 1)
        #expect(register[udid]?.team == team.rawValue)
        #expect(register.renewals?[team.rawValue] == date)
        #expect(register.assignRest(to: team) == 0)
    }
}
