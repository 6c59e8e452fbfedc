import Bytes
import Cryptography
import MachOFormat
import PropertyLists
import Signing

/// `entitlements`: no two encodings are read as the same entitlements.
struct EntitlementEncodings: PlainInputKind {
    static let name = "entitlements"

    static func seeds(by authority: SeedAuthority) throws -> [String: [UInt8]] {
        let usual: PropertyList = .dictionary([
            "application-identifier": .string("TEAM123456.com.example.demo"),
            "get-task-allow": .boolean(true),
            "keychain-access-groups": .array([.string("TEAM123456.*")]),
            "nested": .dictionary(["data": .data([1, 2]), "number": .integer(300)]),
        ])
        let pair = DERBytes.sequence(DERBytes.utf8String("get-task-allow"), [1, 1, 1])
        return [
            "usual": try EntitlementsDER.encoding(usual),
            "older": DERBytes.set(of: [pair]),
        ]
    }

    func check(_ input: [UInt8]) { Self.check(input[...]) }

    static func check(_ content: ArraySlice<UInt8>) {
        let read = accepted { () throws(MalformedBytes) in try DEREntitlements(reading: content) }
        guard let read else { return }
        let encoded = encoding(of: read)
        promise(
            encoded.count == content.count && zip(encoded, content).allSatisfy(isAlike),
            "the encoding is not the only one",
        )
        for entry in read.entries {
            promise(read[entry.key] == entry.value, "a key has two values")
        }
        _ = read.isSorted
    }

    /// Whether bytes are equal, except for the two forms of a dictionary and the forms of a true value.
    private static func isAlike(_ made: UInt8, _ found: UInt8) -> Bool {
        made == found || made == 0xb0 && found == 0x31 || made == 0xff
    }

    private static func encoding(of entitlements: DEREntitlements) -> [UInt8] {
        guard let version = entitlements.version else {
            return [0x31] + encoding(of: .dictionary(entitlements.entries)).dropFirst()
        }
        return encoding(of: .versioned(version, entitlements.entries))
    }

    private static func encoding(of value: DEREntitlements.Value) -> [UInt8] {
        switch value {
        case .string(let text): DERBytes.utf8String(text)
        case .integer(let number): DERBytes.element(0x02, octets(of: number))
        case .boolean(let flag): DERBytes.boolean(flag)
        case .data(let bytes): DERBytes.octetString(bytes)
        case .array(let items): DERBytes.sequence(of: items.map(encoding))
        case .dictionary(let entries):
            DERBytes.element(
                0xb0,
                entries.map {
                    DERBytes.sequence(DERBytes.utf8String($0.key), encoding(of: $0.value))
                },
            )
        case .versioned(let version, let entries):
            DERBytes.element(
                0x70,
                encoding(of: .integer(version)) + encoding(of: .dictionary(entries)),
            )
        case .unknown(let tag, let content): DERBytes.element(tag, content)
        }
    }

    /// The shortest two's complement encoding.
    private static func octets(of number: Int64) -> [UInt8] {
        var octets = (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        while octets.count > 1,
            octets[0] == 0 && octets[1] < 0x80 || octets[0] == 0xff && octets[1] >= 0x80
        {
            octets.removeFirst()
        }
        return octets
    }
}
