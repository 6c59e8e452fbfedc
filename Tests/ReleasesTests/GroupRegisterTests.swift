import Foundation
import Identifiers
import Testing

@testable import Releases

/// Groups of devices in the register.
struct GroupRegisterTests {
    private static let now = Date(timeIntervalSince1970: 1_795_000_000)
    private let names: (qa: GroupName, beta: GroupName)

    init() throws {
        names = (try #require(GroupName("qa")), try #require(GroupName("beta")))
    }

    private func udid(_ number: Int) throws -> DeviceUDID {
        try #require(DeviceUDID("00008120-0000000000000" + String(100 + number)))
    }

    private func register(_ count: Int = 3) throws -> DeviceRegister {
        var register = DeviceRegister()
        for number in 0..<count {
            let device = Device(
                udid: try udid(number),
                name: "Device \(number)",
                family: .iphone,
                added: Self.now,
            )
            try register.add(device, at: Self.now)
        }
        try register.create(names.qa, by: "ada", at: Self.now)
        return register
    }

    @Test func `devices are added, removed, and gone with their group`() throws {
        var register = try register()
        let both = [try udid(0), try udid(1)]
        #expect(try register.add(both, to: names.qa).map(\.name) == ["Device 0", "Device 1"])
        #expect(try register.add(both, to: names.qa).isEmpty, "twice is as good as once")
        #expect(register.members(of: names.qa).count == 2)
        #expect(
            try register.remove([udid(0), udid(2)], from: names.qa).map(\.name) == ["Device 0"]
        )
        let json = try JSONEncoder().encode(register)
        #expect(try JSONDecoder().decode(DeviceRegister.self, from: json) == register)
        try register.delete(names.qa)
        #expect(register.devices.allSatisfy { $0.groups.isEmpty })
        #expect(throws: GroupRefusal.unknown("qa")) { try register.delete(names.qa) }
    }

    @Test func `a request that names one wrong device changes nothing`() throws {
        var register = try register()
        let before = register
        #expect(throws: DeviceRefusal.unknown) {
            try register.add([udid(0), udid(9)], to: names.qa)
        }
        #expect(throws: GroupRefusal.unknown("beta")) {
            try register.add([udid(0)], to: names.beta)
        }
        #expect(register == before)
    }

    @Test func `a disabled device leaves its groups, and does not come back into them`() throws {
        var register = try register()
        try register.add([udid(0)], to: names.qa)
        try register.disable(udid(0), at: Self.now)
        #expect(register.members(of: names.qa).isEmpty)
        let device = try #require(register[udid(0)])
        try register.add(
            Device(udid: device.udid, name: device.name, family: .iphone, added: Self.now),
            at: Self.now,
        )
        #expect(register.members(of: names.qa).isEmpty)
    }

    @Test func `an invitation lets a device join once, and only groups that it was made for`()
        throws
    {
        var register = try register()
        let join = { (register: inout DeviceRegister, invitation: String) in
            try register.join(
                self.udid(0),
                to: [self.names.qa, self.names.beta],
                with: invitation,
                made: Self.now,
            )
        }
        #expect(try join(&register, "one") == [names.qa], "there is no group beta")
        try register.remove([udid(0)], from: names.qa)
        #expect(try join(&register, "one").isEmpty, "who left does not come back with it")
        #expect(try join(&register, "two") == [names.qa])
        try register.create(names.beta, by: "ada", at: Self.now + 60)
        #expect(try join(&register, "three").isEmpty, "beta is another group by now")
    }

    @Test func `groups and memberships are bounded`() throws {
        var register = try register(1)
        for number in 1..<DeviceRegister.groupLimit {
            try register.create(#require(GroupName("g\(number)")), by: "ada", at: Self.now)
        }
        #expect(throws: GroupRefusal.tooMany(DeviceRegister.groupLimit)) {
            try register.create(names.beta, by: "ada", at: Self.now)
        }
        #expect(throws: GroupRefusal.exists(names.qa)) {
            try register.create(names.qa, by: "ada", at: Self.now)
        }
        for number in 1...DeviceRegister.membershipLimit {
            try register.add([udid(0)], to: #require(GroupName("g\(number)")))
        }
        #expect(throws: GroupRefusal.tooManyOfDevice(DeviceRegister.membershipLimit)) {
            try register.add([udid(0)], to: names.qa)
        }
    }
}
