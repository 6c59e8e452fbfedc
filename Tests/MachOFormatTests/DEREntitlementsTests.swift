import Bytes
import Cryptography
import MachOFormat
import PropertyLists
import Sample
import Signing
import TestSupport
import Testing

@Suite struct DEREntitlementsTests {
    @Test func `what our writer writes reads back, key by key`() throws {
        let bytes = try EntitlementsDER.encoding(SignedBinary.entitlements)
        let entitlements = try DEREntitlements(reading: bytes[...])
        #expect(entitlements.version == 1)
        #expect(entitlements.isSorted)
        #expect(PropertyList(.dictionary(entitlements.entries)) == SignedBinary.entitlements)
        #expect(entitlements["get-task-allow"] == .boolean(true))
        #expect(entitlements["level"] == .integer(1000))
        #expect(entitlements["nothing"] == nil)
    }

    @Test func `the form that Xcode 12 wrote has no version`() throws {
        let pair = DERBytes.sequence(DERBytes.utf8String("k"), DERBytes.element(0x31, []))
        let bytes = DERBytes.element(0x31, pair)
        let entitlements = try DEREntitlements(reading: bytes[...])
        #expect(entitlements.version == nil)
        #expect(entitlements["k"] == .dictionary([]))
    }

    private func reading(_ value: [UInt8]) throws -> DEREntitlements.Value? {
        let pair = DERBytes.sequence(DERBytes.utf8String("k"), value)
        let bytes = DERBytes.element(0x70, DERBytes.integer(1) + DERBytes.element(0xb0, pair))
        return try DEREntitlements(reading: bytes[...])["k"]
    }

    @Test func `numbers keep their sign and the longest survive as they are`() throws {
        #expect(try reading([2, 1, 0xff]) == .integer(-1))
        #expect(try reading([2, 2, 0, 0x80]) == .integer(128))
        #expect(try reading([2, 8, 0x80, 0, 0, 0, 0, 0, 0, 0]) == .integer(.min))
        #expect(
            try reading([2, 9, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
                == .unknown(tag: 2, [0] + [UInt8](repeating: 0xff, count: 8))
        )
        #expect(try reading([1, 1, 1]) == .boolean(true))
        #expect(try reading([9, 1, 7]) == .unknown(tag: 9, [7]))
        #expect(try reading([4, 2, 1, 2]) == .data([1, 2]))
        #expect(try reading([0x31, 0]) == .dictionary([]))
    }

    @Test(
        arguments: [
            [1, 0], [1, 2, 0, 0], [2, 0], [2, 2, 0, 1], [2, 2, 0xff, 0x80], [0x0c, 1, 0xff],
            [0x30, 0x80, 0, 0], [0x0c, 0x81, 1, 0x41], [0x0c, 0x82, 0, 0x41], [0x1f, 1, 0],
            [0x0c, 0x85, 0, 0, 0, 0, 1, 0x41], [0xb0, 3, 0x30, 1, 0], [0xb0, 2, 1, 0],
            [0x0c, 0x84, 0xff, 0xff, 0xff, 0xff],
            [2, 9, 0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            [0x0c, 0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        ] as [[UInt8]]
    )
    func `a second way to write a value is refused`(value: [UInt8]) {
        #expect(throws: MalformedBytes.self) { try reading(value) }
    }

    @Test func `a key that is there twice is refused, one out of order is noticed`() throws {
        func entitlements(_ keys: [String]) throws -> DEREntitlements {
            let pairs = keys.flatMap {
                DERBytes.sequence(DERBytes.utf8String($0), DERBytes.boolean(true))
            }
            let dictionary = DERBytes.element(0xb0, pairs)
            let bytes = DERBytes.element(0x70, DERBytes.integer(1) + dictionary)
            return try DEREntitlements(reading: bytes[...])
        }
        #expect(try entitlements(["a", "b"]).isSorted)
        #expect(try entitlements(["b", "a"]).isSorted == false)
        #expect(throws: MalformedBytes.self) { try entitlements(["a", "a"]) }
    }

    @Test func `a versioned dictionary inside another is no dictionary`() throws {
        let pair = DERBytes.sequence(DERBytes.utf8String("a"), DERBytes.boolean(true))
        let inner = DERBytes.element(0x70, DERBytes.integer(2) + DERBytes.element(0xb0, pair))
        let value = try reading(inner)
        #expect(value == .versioned(2, [.init(key: "a", value: .boolean(true))]))
        #expect(value.flatMap { PropertyList($0) } == nil)
    }

    @Test func `elements are counted before memory is taken for them`() throws {
        func nulls(_ count: Int) -> [UInt8] {
            DERBytes.element(0x30, (0..<count).flatMap { _ in DERBytes.null })
        }
        #expect(try reading(nulls(90_000)) != nil)
        #expect(throws: MalformedBytes.self) { try reading(nulls(100_000)) }
    }

    @Test func `nesting is bounded`() {
        var value: [UInt8] = [1, 1, 0]
        for _ in 0..<60 { value = DERBytes.element(0x30, value) }
        #expect(throws: MalformedBytes.self) { try reading(value) }
        let open = [UInt8](repeating: 0x30, count: 1 << 20)
        #expect(throws: MalformedBytes.self) { try DEREntitlements(reading: open[...]) }
    }

    @Test func `every prefix, and a byte too many, is refused; flips never trap`() throws {
        let bytes = try EntitlementsDER.encoding(SignedBinary.entitlements)
        for prefix in SeededDamage.prefixes(of: bytes) + [bytes + [0]] {
            #expect(throws: MalformedBytes.self) { try DEREntitlements(reading: prefix[...]) }
        }
        for damaged in SeededDamage.flips(of: bytes, count: 5000, seed: 8) {
            _ = try? DEREntitlements(reading: damaged[...])
        }
    }

    @Test func `an error's offset counts from the start of the whole`() {
        let bytes: [UInt8] = [0x70, 10, 2, 1, 1, 0xb0, 5, 0x30, 3, 0x0c, 1, 0xff]
        do throws(MalformedBytes) {
            _ = try DEREntitlements(reading: bytes[...])
            Issue.record("text that is not UTF-8 was read")
        } catch {
            #expect(error.offset == 9)
        }
    }
}

extension PropertyList {
    /// The same entitlements as a property list.
    init?(_ value: DEREntitlements.Value) {
        switch value {
        case .string(let text): self = .string(text)
        case .integer(let number): self = .integer(number)
        case .boolean(let truth): self = .boolean(truth)
        case .data(let bytes): self = .data(bytes)
        case .array(let items): self = .array(items.compactMap(PropertyList.init))
        case .dictionary(let entries):
            self = .dictionary(
                Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) })
                    .compactMapValues(PropertyList.init)
            )
        case .versioned, .unknown: return nil
        }
    }
}
