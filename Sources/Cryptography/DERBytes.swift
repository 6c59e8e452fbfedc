package import Essentials

/// Encodes DER (X.690 section 10), from the innermost element outwards.
///
/// Each function returns a complete element: tag, length and content.
package enum DERBytes {
    /// An element with a one-byte tag.
    package static func element(_ tag: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    /// A constructed element of encoded parts.
    package static func element(_ tag: UInt8, _ parts: [[UInt8]]) -> [UInt8] {
        element(tag, Array(parts.joined()))
    }

    package static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, parts) }

    package static func sequence(of parts: [[UInt8]]) -> [UInt8] { element(0x30, parts) }

    /// A SET OF in DER order (X.690 section 11.6).
    package static func set(of parts: [[UInt8]]) -> [UInt8] { element(0x31, sorted(parts)) }

    /// A context-specific constructed element: EXPLICIT, or IMPLICIT over a SEQUENCE or SET.
    package static func context(_ number: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        element(0xa0 | number, parts)
    }

    package static func objectIdentifier(_ oid: OID) -> [UInt8] { element(0x06, oid.encoded) }

    package static func octetString(_ bytes: some Collection<UInt8>) -> [UInt8] {
        element(0x04, bytes)
    }

    /// A BIT STRING of whole octets.
    package static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

    package static func boolean(_ value: Bool) -> [UInt8] { element(0x01, [value ? 0xff : 0]) }

    package static let null: [UInt8] = [0x05, 0x00]

    package static func integer(_ value: UInt) -> [UInt8] {
        integer(magnitude: (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }

    /// A non-negative INTEGER from its big-endian magnitude.
    package static func integer(magnitude: some Sequence<UInt8>) -> [UInt8] {
        var octets = Array(magnitude.drop { $0 == 0 })
        if octets.first.map({ $0 & 0x80 != 0 }) ?? true { octets.insert(0, at: 0) }
        return element(0x02, octets)
    }

    package static func utf8String(_ text: String) -> [UInt8] { element(0x0c, Array(text.utf8)) }

    package static func printableString(_ text: String) -> [UInt8] {
        element(0x13, Array(text.utf8))
    }

    /// UTCTime for 1950 to 2049, else GeneralizedTime (RFC 5280 section 4.1.2.5); whole seconds.
    package static func time(_ date: Date) -> [UInt8] {
        let time = CalendarTime(date)
        let digits = Array(time.digits.utf8)
        return (1950..<2050).contains(time.year)
            ? element(0x17, digits.dropFirst(2) + [UInt8(ascii: "Z")])
            : element(0x18, digits + [UInt8(ascii: "Z")])
    }

    static func sorted(_ parts: [[UInt8]]) -> [[UInt8]] {
        parts.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func length(_ count: Int) -> [UInt8] {
        guard count > 0x7f else { return [UInt8(count)] }
        let octets = Array(
            (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
                .drop { $0 == 0 }
        )
        return [0x80 | UInt8(octets.count)] + octets
    }
}
