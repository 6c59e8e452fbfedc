import Cryptography
package import PropertyLists

/// Encodes entitlements in the DER form that iOS 15 and later require.
///
/// `[APPLICATION 16] { version INTEGER 1, [CONTEXT 16] { SEQUENCE { key, value }… } }` with the entries
/// sorted by the bytes of their keys.
package enum EntitlementsDER {
    /// - Throws: ``ProgramFault/entitlementNotEncodable(key:)`` for a date, a real number or another
    ///   value without a DER form.
    package static func encoding(_ entitlements: PropertyList) throws(ProgramFault) -> [UInt8] {
        let dictionary = try value(entitlements, of: "entitlements")
        return DERBytes.element(0x70, DERBytes.integer(1) + dictionary)
    }

    private static func value(
        _ list: PropertyList,
        of key: String,
    ) throws(ProgramFault) -> [UInt8] {
        switch list {
        case .boolean(let value): return DERBytes.boolean(value)
        case .integer(let value): return integer(value)
        case .string(let value): return DERBytes.utf8String(value)
        case .data(let bytes): return DERBytes.octetString(bytes)
        case .array(let items):
            var elements: [[UInt8]] = []
            for item in items { elements.append(try value(item, of: key)) }
            return DERBytes.sequence(of: elements)
        case .dictionary(let entries):
            var elements: [[UInt8]] = []
            for (key, entry) in sorted(entries) {
                elements.append(
                    DERBytes.sequence(DERBytes.utf8String(key), try value(entry, of: key))
                )
            }
            return DERBytes.element(0xb0, elements)
        default: throw .entitlementNotEncodable(key: key)
        }
    }

    /// Two's complement in as few octets as possible (X.690 section 8.3).
    private static func integer(_ value: Int64) -> [UInt8] {
        guard value < 0 else { return DERBytes.integer(UInt(value)) }
        let octets = (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        let needed = (64 - (~value).leadingZeroBitCount) / 8 + 1
        return DERBytes.element(0x02, octets.suffix(needed))
    }

    private static func sorted(
        _ entries: [String: PropertyList]
    ) -> [(key: String, value: PropertyList)] {
        entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
