import Foundation
import Identifiers
import Releases
import Testing

/// Devices in the accounts of several developer teams.
struct FurtherTeamTests {
    private let now = ExampleRelease.now
    private let acme: TeamIdentifier
    private let other: TeamIdentifier
    private let udid: DeviceUDID

    init() throws {
        acme = try #require(TeamIdentifier("ABCDE12345"))
        other = try #require(TeamIdentifier("OTHER67890"))
        udid = try #require(DeviceUDID("00008120-000A1B2C3D4E5F67"))
    }

    /// A register with one device of `acme`.
    private func register(_ state: Device.State = .registered) throws -> DeviceRegister {
        var device = Device(udid: udid, name: "Ana", family: .iphone, state: state, added: now)
        device.team = acme.rawValue
        return DeviceRegister([device])
    }

    private func used(
        _ register: DeviceRegister,
        _ team: TeamIdentifier,
        at date: Date? = nil,
    ) -> Int {
        register.slots(of: .iphone, team: team.rawValue, at: date ?? now).used
    }

    @Test func `a slot is used in every team, and stays used in one that the device has left`()
        throws
    {
        var register = try register()
        register.setRenewal(on: now + 86_400, of: other, among: [])
        try register.join(udid, other, ownedBy: acme, at: now, by: "ada")
        #expect((used(register, acme), used(register, other)) == (1, 1))
        #expect(register.slots(at: now).contains { $0.team == other.rawValue && $0.used == 1 })
        #expect(register[udid]?.state == .registered)
        #expect(register[udid]?.place(in: other.rawValue)?.state == .approved)
        #expect(register.unregistered.map(\.udid) == [udid])
        try register.leave(udid, other, at: now + 60, by: "ada")
        #expect(register[udid]?.furtherTeams == [])
        #expect(used(register, other, at: now + 3600) == 1)
        #expect(used(register, other, at: now + 2 * 86_400) == 0)
        #expect(used(register, acme, at: now + 2 * 86_400) == 1)
        #expect(throws: DeviceRefusal.notInTeam(name: "Ana", team: other.rawValue)) {
            try register.leave(udid, other, at: now, by: "ada")
        }
    }

    @Test func `a team without a slot left takes no further device, and nothing changes`() throws {
        var devices = try register().devices
        for number in 0..<100 {
            let digits = "\(1_000_000_000_000_000 + number)"
            let udid = try #require(DeviceUDID("00008120-" + digits))
            var device = Device(udid: udid, name: "P \(number)", family: .iphone, added: now)
            device.team = other.rawValue
            devices.append(device)
        }
        var register = DeviceRegister(devices)
        let before = register
        #expect {
            try register.join(udid, other, ownedBy: acme, at: now, by: "ada")
        } throws: { ($0 as? DeviceRefusal)?.id == "device.no-slot" }
        #expect(register == before)
    }

    @Test func `a device that waits, or is in the team already, does not join`() throws {
        var waiting = try register(.enrolled)
        #expect(throws: DeviceRefusal.notApproved(name: "Ana")) {
            try waiting.join(udid, other, ownedBy: acme, at: now, by: "ada")
        }
        var register = try register()
        #expect(throws: DeviceRefusal.alreadyInTeam(name: "Ana", team: acme.rawValue)) {
            try register.join(udid, acme, ownedBy: acme, at: now, by: "ada")
        }
        try register.join(udid, other, ownedBy: acme, at: now, by: "ada")
        #expect(throws: DeviceRefusal.alreadyInTeam(name: "Ana", team: other.rawValue)) {
            try register.join(udid, other, ownedBy: acme, at: now, by: "ada")
        }
    }

    @Test func `each team notes its own registration`() throws {
        var register = try register(.approved)
        try register.join(udid, other, ownedBy: acme, at: now, by: "ada")
        try register.markRegistered(udid, in: other, at: now + 1)
        #expect(register[udid]?.state == .approved)
        #expect(register[udid]?.place(in: other.rawValue)?.state == .registered)
        try register.markRegistered(udid, in: acme, at: now + 2)
        #expect(register[udid]?.state == .registered)
        // Decoding it gives the same register.
        let data = try JSONEncoder().encode(register)
        #expect(try JSONDecoder().decode(DeviceRegister.self, from: data) == register)
    }

    @Test func `a further team becomes its own without a second slot or registration`() throws {
        var register = try register()
        try register.join(udid, other, ownedBy: acme, at: now, by: "ada")
        try register.markRegistered(udid, in: other, at: now + 1)
        try register.move(udid, to: other, ownedBy: other, from: acme, at: now + 2, by: "ada")
        #expect(register[udid]?.team == other.rawValue)
        #expect(register[udid]?.state == .registered)
        #expect(used(register, other) == 1)
        #expect(register[udid]?.furtherTeams == [])
    }

    @Test func `a device that moves keeps the slot in its former account until the year ends`()
        throws
    {
        var register = try register()
        register.setRenewal(on: now + 86_400, of: acme, among: [])
        try register.move(udid, to: other, ownedBy: other, from: acme, at: now + 1, by: "ada")
        #expect((used(register, acme), used(register, other)) == (1, 1))
        #expect(register[udid]?.state == .approved)
        #expect(register[udid]?.place(in: acme.rawValue)?.state == .disabled)
        var later = register
        #expect(used(later, acme, at: now + 2 * 86_400) == 0)
        // If it returns in the same year, it is still registered there.
        try register.move(udid, to: acme, ownedBy: acme, from: other, at: now + 2, by: "ada")
        #expect(register[udid]?.state == .registered)
        #expect((used(register, acme), used(register, other)) == (1, 1))
        let next = now + 2 * 86_400
        try later.move(udid, to: acme, ownedBy: acme, from: other, at: next, by: "ada")
        #expect(later[udid]?.state == .approved)
    }

    @Test func `a device that waits again and moves leaves the slot where it was registered`()
        throws
    {
        var register = try register()
        register.setRenewal(on: now + 86_400, of: acme, among: [])
        try register.disable(udid, at: now + 1, by: "ada")
        var device = Device(
            udid: udid,
            name: "Ana",
            family: .iphone,
            state: .enrolled,
            added: now + 2,
        )
        try register.add(device, at: now + 2)
        try register.move(udid, to: other, ownedBy: other, from: acme, at: now + 3, by: "ada")
        #expect((used(register, acme), used(register, other)) == (1, 0))
        #expect(register[udid]?.place(in: acme.rawValue)?.stateSince == now + 1)
        #expect(used(register, acme, at: now + 2 * 86_400) == 0)
        // Back in its former team, it has that slot and no other.
        try register.move(udid, to: acme, ownedBy: acme, from: other, at: now + 4, by: "ada")
        #expect((used(register, acme), used(register, other)) == (1, 0))
        // After it was disabled, it is added again with the other team as its own.
        try register.approve(udid, at: now + 5)
        try register.disable(udid, at: now + 6)
        device.team = other.rawValue
        try register.add(device, at: now + 7)
        #expect((used(register, acme), used(register, other)) == (1, 0))
        try register.approve(udid, at: now + 8)
        #expect((used(register, acme), used(register, other)) == (1, 1))
    }

    @Test func `a list of a further team's account says nothing of its own`() throws {
        var register = try register(.approved)
        try register.join(udid, other, ownedBy: acme, at: now, by: "ada")
        try register.markRegistered(udid, as: other, at: now + 1, by: "ada")
        #expect(register[udid]?.state == .approved)
        #expect(register[udid]?.place(in: other.rawValue)?.state == .registered)
        let third = try #require(TeamIdentifier("THIRD12345"))
        try register.markRegistered(udid, as: third, at: now + 2, by: "ada")
        #expect(register[udid]?.state == .approved)
        try register.markRegistered(udid, as: nil, at: now + 3, by: "ada")
        #expect(register[udid]?.state == .registered)
    }

    @Test func `who is disabled leaves every team, and who returns joins them anew`() throws {
        var register = try register()
        try register.join(udid, other, ownedBy: acme, at: now, by: "ada")
        try register.disable(udid, at: now + 1, by: "ada")
        #expect(register[udid]?.places.map(\.state) == [.disabled, .disabled])
        let device = Device(udid: udid, name: "Ana", family: .iphone, added: now)
        try register.add(device, at: now + 2)
        #expect(register[udid]?.furtherTeams == [])
        #expect((used(register, acme), used(register, other)) == (1, 1))
        try register.join(udid, other, ownedBy: acme, at: now + 3, by: "ada")
        #expect(used(register, other) == 1)
        #expect(register[udid]?.place(in: other.rawValue)?.history.count == 3)
    }
}
