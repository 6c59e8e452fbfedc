import Bundles
import Foundation
import Identifiers
import Releases
import Testing

struct DeviceHistoryTests {
    private static let now = ExampleRelease.now

    private static func udid(_ number: Int) throws -> DeviceUDID {
        let digits = String(number, radix: 16)
        return try #require(
            DeviceUDID("00008120-" + String(repeating: "0", count: 16 - digits.count) + digits)
        )
    }

    private func newcomer(
        _ number: Int,
        name: String = "Ana",
        model: String = "iPhone15,2",
        os: String = "17.4",
    ) throws -> Newcomer {
        Newcomer(
            udid: try Self.udid(number),
            name: name,
            model: model,
            os: OSVersion(os),
            invited: Self.now - 3600,
            by: "admin",
        )
    }

    private func device(_ number: Int, family: ProductFamily = .iphone) throws -> Device {
        Device(udid: try Self.udid(number), name: "D\(number)", family: family, added: Self.now)
    }

    @Test func `a device goes from its invitation to being disabled, with who and when`() throws {
        var register = DeviceRegister()
        let udid = try Self.udid(1)
        try register.enrol(newcomer(1), at: Self.now)
        try register.approve(udid, at: Self.now + 1, by: "Ben")
        try register.markRegistered(udid, at: Self.now + 2, by: "import")
        try register.disable(udid, at: Self.now + 3, by: "Eve")
        #expect(
            register[udid]?.history == [
                Device.Change(.invited, at: Self.now - 3600, by: "admin"),
                Device.Change(.enrolled, at: Self.now, by: "Ana"),
                Device.Change(.approved, at: Self.now + 1, by: "Ben"),
                Device.Change(.registered, at: Self.now + 2, by: "import"),
                Device.Change(.disabled, at: Self.now + 3, by: "Eve"),
            ]
        )
        #expect(register[udid]?.added == Self.now, "it was added when it enrolled")
        #expect(register[udid]?.state == .disabled)
        #expect(register[udid]?.stateSince == Self.now + 3)
        let text = try StoredJSON.text(register)
        #expect(try StoredJSON.value(DeviceRegister.self, from: text) == register)
    }

    @Test func `a device that enrols waits, takes no slot and is not handed to Apple`() throws {
        var register = DeviceRegister()
        let device = try register.enrol(newcomer(1, model: "iPad14,3"), at: Self.now)
        #expect(device.family == .ipad)
        #expect(device.modelName == "iPad Pro 11-inch (4th generation)")
        #expect(device.state == .enrolled)
        #expect(register.pending == [device])
        #expect(register.active == [device])
        #expect(register.unregistered.isEmpty)
        #expect(register.slots(of: .ipad, at: Self.now).used == 0)
        try register.approve(device.udid, at: Self.now + 1)
        #expect(register.pending.isEmpty)
        #expect(register.unregistered.map(\.udid) == [device.udid])
        #expect(register.slots(of: .ipad, at: Self.now).used == 1)
        try register.markRegistered(device.udid, at: Self.now + 2)
        #expect(register.unregistered.isEmpty)
    }

    @Test func `approval is refused when no slot is left`() throws {
        var register = DeviceRegister()
        for number in 0..<100 { try register.add(device(number), at: Self.now) }
        try register.enrol(newcomer(200), at: Self.now)
        let udid = try Self.udid(200)
        let slots = register.slots(of: .iphone, at: Self.now)
        #expect(slots.used == 100)
        #expect(throws: DeviceRefusal.noSlotLeft(slots)) {
            try register.approve(udid, at: Self.now)
        }
        #expect(register[udid]?.state == .enrolled)
    }

    @Test func `a device that enrols again tells its new system and keeps its state`() throws {
        var register = DeviceRegister()
        try register.add(device(1), at: Self.now, by: "admin")
        try register.markRegistered(Self.udid(1), at: Self.now + 1)
        let again = try register.enrol(newcomer(1, os: "26.1"), at: Self.now + 2)
        #expect(again.name == "D1")
        #expect(again.os == OSVersion("26.1"))
        #expect(again.model == "iPhone15,2")
        #expect(again.state == .registered)
        #expect(again.history.map(\.state) == [.approved, .registered])
        #expect(again.history.first?.by == "admin")
    }

    @Test func `a disabled device that enrols waits again, on the slot that it holds`() throws {
        var register = DeviceRegister()
        let udid = try Self.udid(1)
        try register.enrol(newcomer(1), at: Self.now)
        try register.approve(udid, at: Self.now + 1)
        try register.disable(udid, at: Self.now + 2)
        for number in 10..<109 { try register.add(device(number), at: Self.now + 3) }
        #expect(register.slots(of: .iphone, at: Self.now + 3).used == 100)
        let back = try register.enrol(newcomer(1), at: Self.now + 4)
        #expect(back.state == .enrolled)
        try register.approve(udid, at: Self.now + 5)
        #expect(register.slots(of: .iphone, at: Self.now + 5).used == 100)
    }

    @Test func `a device that was turned away never held a slot`() throws {
        var register = DeviceRegister()
        try register.enrol(newcomer(1), at: Self.now)
        try register.disable(Self.udid(1), at: Self.now + 1)
        #expect(register.slots(of: .iphone, at: Self.now + 2).used == 0)
    }

    @Test func `a bounded number of devices waits`() throws {
        var register = DeviceRegister()
        for number in 0..<200 { try register.enrol(newcomer(number), at: Self.now) }
        #expect(throws: DeviceRefusal.tooManyPending(limit: 200)) {
            try register.enrol(newcomer(200), at: Self.now)
        }
        try register.enrol(newcomer(7, os: "18.0"), at: Self.now + 1)
        #expect(register.devices.count == 200)
        try register.disable(Self.udid(7), at: Self.now + 2)
        try register.enrol(newcomer(200), at: Self.now + 3)
    }

    @Test func `a device that comes back keeps its history`() throws {
        var register = DeviceRegister()
        try register.add(device(1), at: Self.now)
        try register.disable(Self.udid(1), at: Self.now + 1, by: "Eve")
        try register.add(device(1), at: Self.now + 2, by: "Ben")
        let history = try #require(register[Self.udid(1)]?.history)
        #expect(history.map(\.state) == [.approved, .disabled, .approved])
        #expect(history.map(\.by) == [nil, "Eve", "Ben"])
    }

    @Test func `a device that comes back is of its team and model as before`() throws {
        var register = DeviceRegister()
        var first = try device(1)
        first.team = "A1B2C3D4E5"
        first.model = "iPhone15,2"
        first.os = OSVersion("18.1")
        try register.add(first, at: Self.now)
        try register.disable(Self.udid(1), at: Self.now + 1)
        try register.add(device(1), at: Self.now + 2)
        let back = try #require(register[Self.udid(1)])
        #expect(back.team == first.team && back.model == first.model && back.os == first.os)
        try register.disable(Self.udid(1), at: Self.now + 3)
        var other = try device(1)
        other.team = "F6G7H8I9J0"
        try register.add(other, at: Self.now + 4)
        #expect(register[try Self.udid(1)]?.team == other.team)
    }

    @Test func `a document from before histories is read, and its slots count as they did`() throws
    {
        let text = """
            {"schema": 1, "renewal": "2020-06-15T00:00:00Z", "devices": [
              {"udid": "00008120-0000000000000001", "name": "One", "family": "iphone",
               "state": "approved", "added": "2026-01-01T00:00:00Z",
               "stateSince": "2026-01-01T00:00:00Z"},
              {"udid": "00008120-0000000000000002", "name": "Two", "family": "iphone",
               "state": "disabled", "added": "2026-01-01T00:00:00Z",
               "stateSince": "2026-02-01T00:00:00Z"}]}
            """
        let register = try StoredJSON.value(DeviceRegister.self, from: text)
        let before = try Date("2026-03-01T00:00:00Z", strategy: .iso8601)
        let after = try Date("2026-07-01T00:00:00Z", strategy: .iso8601)
        #expect(register.slots(of: .iphone, at: before).used == 2)
        #expect(register.slots(of: .iphone, at: after).used == 1)
        #expect(
            register.devices.map { $0.history.map(\.state) } == [
                [.approved], [.approved, .disabled],
            ]
        )
        let again = try StoredJSON.text(register)
        #expect(!again.contains("history"), "what nobody noted is not made up")
    }

    @Test func `every team has slots and a year of its own`() throws {
        var register = DeviceRegister()
        register.renewal = try Date("2020-06-15T00:00:00Z", strategy: .iso8601)
        register.renewals = ["OTHERTEAM9": try Date("2020-09-01T00:00:00Z", strategy: .iso8601)]
        let date = try Date("2026-03-01T00:00:00Z", strategy: .iso8601)
        for number in 0..<100 { try register.add(device(number), at: date) }
        #expect(throws: DeviceRefusal.self) { try register.add(device(100), at: date) }
        var other = try device(100)
        other.team = "OTHERTEAM9"
        try register.add(other, at: date)
        let slots = register.slots(at: date)
        #expect(slots.map(\.team) == [nil, nil, "OTHERTEAM9", "OTHERTEAM9"])
        #expect(slots.map(\.used) == [100, 0, 1, 0])
        #expect(
            slots.map { $0.resets?.ISO8601Format() } == [
                "2026-06-15T00:00:00Z", "2026-06-15T00:00:00Z", "2026-09-01T00:00:00Z",
                "2026-09-01T00:00:00Z",
            ]
        )
    }
}
