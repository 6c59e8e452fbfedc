import Bundles
import Foundation
import Identifiers
import Releases
import Testing

struct DeviceRegisterTests {
    private static func udid(_ number: Int) throws -> DeviceUDID {
        let digits = String(number, radix: 16)
        return try #require(
            DeviceUDID("00008120-" + String(repeating: "0", count: 16 - digits.count) + digits)
        )
    }

    private static func day(_ text: String) throws -> Date {
        try Date(text + "T12:00:00Z", strategy: .iso8601)
    }

    private func device(
        _ number: Int,
        _ name: String? = nil,
        family: ProductFamily = .iphone,
    ) throws -> Device {
        Device(
            udid: try Self.udid(number),
            name: name ?? "Phone \(number)",
            family: family,
            added: ExampleRelease.now,
        )
    }

    private func full(at date: Date) throws -> DeviceRegister {
        var register = DeviceRegister()
        for number in 0..<100 { try register.add(device(number), at: date) }
        return register
    }

    @Test func `the hundredth device of a family fits and the next does not`() throws {
        let now = ExampleRelease.now
        var register = try full(at: now)
        let slots = register.slots(of: .iphone, at: now)
        #expect((slots.used, slots.limit) == (100, 100))
        #expect(throws: DeviceRefusal.noSlotLeft(slots)) {
            try register.add(device(100), at: now)
        }
        #expect(register.devices.count == 100)
        try register.add(device(100, family: .ipad), at: now)
        #expect(register.slots(of: .ipad, at: now).used == 1)
    }

    @Test func `a disabled device keeps its slot while nobody has said when the year ends`() throws
    {
        var register = try full(at: try Self.day("2026-03-01"))
        try register.disable(Self.udid(0), at: try Self.day("2026-03-02"))
        let later = try Self.day("2031-01-01")
        #expect(register.slots(of: .iphone, at: later).used == 100)
        #expect(register.slots(of: .iphone, at: later).resets == nil)
        #expect(throws: DeviceRefusal.self) { try register.add(device(100), at: later) }
    }

    @Test func `a disabled device gives its slot back when the membership is renewed`() throws {
        var register = try full(at: try Self.day("2026-03-01"))
        register.renewal = try Date("2020-06-15T09:30:00Z", strategy: .iso8601)
        try register.disable(Self.udid(0), at: try Self.day("2026-03-02"))
        let before = try Date("2026-06-14T23:59:59Z", strategy: .iso8601)
        let renewal = try Date("2026-06-15T00:00:00Z", strategy: .iso8601)
        #expect(register.slots(of: .iphone, at: before).used == 100)
        #expect(register.slots(of: .iphone, at: before).resets == renewal)
        #expect(throws: DeviceRefusal.self) { try register.add(device(100), at: before) }
        #expect(register.slots(of: .iphone, at: renewal).used == 99)
        try register.add(device(100), at: renewal)
        #expect(register.slots(of: .iphone, at: renewal).used == 100)
        #expect(throws: DeviceRefusal.self, "the returning device finds its slot taken") {
            try register.add(device(0), at: renewal)
        }
    }

    @Test(arguments: [
        ("2026-02-27", "2026-03-01"), ("2026-03-02", "2027-03-01"), ("2027-12-31", "2028-02-29"),
        ("2028-02-28", "2028-02-29"), ("2028-03-01", "2029-03-01"),
    ])
    func `a membership that began on 29 February renews every year`(
        day: String,
        resets: String,
    ) throws {
        var register = DeviceRegister()
        register.renewal = try Self.day("2024-02-29")
        let slots = register.slots(of: .iphone, at: try Self.day(day))
        #expect(slots.resets == (try Date(resets + "T00:00:00Z", strategy: .iso8601)))
    }

    @Test(arguments: [
        ("2026-03-02", 0), ("2026-02-20", 0), ("2025-12-24", 0), ("2026-06-01", 1),
    ])
    func `the year around 29 February is one year long`(disabled: String, used: Int) throws {
        var register = DeviceRegister()
        register.renewal = try Self.day("2024-02-29")
        try register.add(device(0), at: try Self.day("2025-06-01"))
        try register.disable(Self.udid(0), at: try Self.day(disabled))
        let isNextYear = used == 0
        let date = try Self.day(isNextYear ? "2027-04-01" : "2026-12-01")
        #expect(register.slots(of: .iphone, at: date).used == used)
    }

    @Test func `a device comes back under the name that it had, which no new one may have`() throws
    {
        let now = ExampleRelease.now
        let name = "\u{2067}Ana\u{2069}"
        // Registered when other rules applied.
        var stored = DeviceRegister()
        try stored.add(device(0, "Ana"), at: now)
        let text = String(decoding: try JSONEncoder().encode(stored), as: UTF8.self)
            .replacing("\"Ana\"", with: "\"\(name)\"")
        var register = try JSONDecoder().decode(DeviceRegister.self, from: Data(text.utf8))
        try register.disable(Self.udid(0), at: now)
        #expect(throws: DeviceRefusal.badName("\u{2067}Ben\u{2069}")) {
            try register.add(device(0, "\u{2067}Ben\u{2069}"), at: now)
        }
        try register.add(device(0, name), at: now)
        #expect(register[try Self.udid(0)]?.name == name)
    }

    @Test func `a disabled device comes back on the slot that it still holds`() throws {
        let now = ExampleRelease.now
        var register = try full(at: now)
        try register.disable(Self.udid(7), at: now)
        #expect(register.active.count == 99)
        try register.add(device(7, "Back again"), at: now)
        #expect(register[try Self.udid(7)]?.name == "Back again")
        #expect(register.slots(of: .iphone, at: now).used == 100)
        #expect(register.devices.count == 100)
    }

    @Test func `a device that comes back in another family takes a slot there`() throws {
        let now = ExampleRelease.now
        var register = try full(at: now)
        try register.add(device(200, family: .ipad), at: now)
        try register.disable(Self.udid(200), at: now)
        #expect(throws: DeviceRefusal.self) { try register.add(device(200), at: now) }
        #expect(register[try Self.udid(200)]?.family == .ipad)
    }

    @Test func `one device is added once`() throws {
        var register = DeviceRegister()
        try register.add(device(1, "First"), at: ExampleRelease.now)
        #expect(throws: DeviceRefusal.alreadyThere(name: "First")) {
            try register.add(device(1, "Second"), at: ExampleRelease.now)
        }
    }

    @Test func `a forgotten device leaves nothing behind`() throws {
        let now = ExampleRelease.now
        var register = try full(at: now)
        try register.forget(Self.udid(3))
        #expect(register[try Self.udid(3)] == nil)
        #expect(register.slots(of: .iphone, at: now).used == 99)
        #expect(throws: DeviceRefusal.unknown) { try register.forget(Self.udid(3)) }
    }

    @Test func `only a device in use is disabled, renamed or registered`() throws {
        let now = ExampleRelease.now
        var register = DeviceRegister()
        let udid = try Self.udid(1)
        #expect(throws: DeviceRefusal.unknown) { try register.disable(udid, at: now) }
        try register.add(device(1), at: now)
        try register.markRegistered(udid, at: now + 5)
        try register.markRegistered(udid, at: now + 10)
        #expect(register[udid]?.stateSince == now + 5)
        try register.rename(udid, to: "Other")
        try register.disable(udid, at: now + 20)
        #expect(register[udid]?.state == .disabled)
        #expect(throws: DeviceRefusal.unknown) { try register.disable(udid, at: now) }
        #expect(throws: DeviceRefusal.unknown) { try register.rename(udid, to: "Again") }
        #expect(throws: DeviceRefusal.unknown) { try register.markRegistered(udid, at: now) }
    }

    @Test(arguments: [
        "", " a", "a ", "a\tb", "a\nb", "a\r\nb", "a\0b", "a\u{1B}[31mb", "a\u{2028}b", "a\u{85}b",
        String(repeating: "a", count: 51), "a" + String(repeating: "\u{301}", count: 5_000),
    ])
    func `a name that cannot stand in a list is refused`(name: String) throws {
        var register = DeviceRegister()
        #expect(throws: DeviceRefusal.badName(name)) {
            try register.add(device(1, name), at: ExampleRelease.now)
        }
        try register.add(device(1), at: ExampleRelease.now)
        #expect(throws: DeviceRefusal.badName(name)) {
            try register.rename(Self.udid(1), to: name)
        }
    }

    @Test(arguments: ["Ada’s iPhone", "<b>", "=1+1", "👩‍👩‍👧‍👦", String(repeating: "é", count: 50)])
    func `other names are taken as they are`(name: String) throws {
        var register = DeviceRegister()
        try register.add(device(1, name), at: ExampleRelease.now)
        #expect(register.active.first?.name == name)
    }

    @Test func `devices in use are listed by name`() throws {
        var register = DeviceRegister()
        for (number, name) in ["b", "C", "a"].enumerated() {
            try register.add(device(number, name), at: ExampleRelease.now)
        }
        #expect(register.active.map(\.name) == ["a", "b", "C"])
    }

    @Test func `the budgets of phones and pads are always shown`() throws {
        var register = DeviceRegister()
        #expect(register.slots(at: ExampleRelease.now).map(\.family) == [.iphone, .ipad])
        try register.add(device(1, family: .watch), at: ExampleRelease.now)
        #expect(register.slots(at: ExampleRelease.now).map(\.family) == [.iphone, .ipad, .watch])
    }

    @Test(arguments: [
        ("iPhone15,2", ProductFamily.iphone), ("iPad13,4", .ipad), ("iPod9,1", .ipod),
        ("Watch6,1", .watch), ("AppleTV14,1", .tv), ("RealityDevice14,1", .vision),
        ("MacBookPro18,1", .mac), ("iMac21,1", .mac), ("Toaster1,1", nil), ("", nil),
        ("iphone15,2", nil),
    ])
    func `a product type tells the family`(model: String, family: ProductFamily?) {
        #expect(ProductFamily(model: model) == family)
    }
}
