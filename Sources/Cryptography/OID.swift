/// An ASN.1 object identifier, stored as its encoded arcs (X.690 section 8.19).
package struct OID: Hashable, Sendable {
    /// The content octets, without tag and length.
    package let encoded: [UInt8]

    package init(encoded: some Sequence<UInt8>) {
        self.encoded = Array(encoded)
    }

    /// Parses dotted decimal text with at least two arcs; nil for anything else.
    package init?(_ dotted: String) {
        var arcs: [UInt64] = []
        for part in dotted.split(separator: ".", omittingEmptySubsequences: false) {
            guard part.first != "+", let arc = UInt64(part), arc < 1 << 56 else { return nil }
            arcs.append(arc)
        }
        guard arcs.count >= 2, arcs[0] <= 2, arcs[0] == 2 || arcs[1] < 40 else { return nil }
        var encoded = Self.base128(arcs[0] * 40 + arcs[1])
        for arc in arcs[2...] { encoded += Self.base128(arc) }
        self.encoded = encoded
    }

    private static func base128(_ arc: UInt64) -> [UInt8] {
        var groups = [UInt8(arc & 0x7f)]
        var rest = arc >> 7
        while rest > 0 {
            groups.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return groups.reversed()
    }
}

extension OID: ExpressibleByStringLiteral {
    /// For literals in source code only; parse other text with ``init(_:)``.
    package init(stringLiteral dotted: String) {
        guard let oid = OID(dotted) else {
            preconditionFailure("\(dotted) is not an object identifier")
        }
        self = oid
    }
}

extension OID: CustomStringConvertible {
    /// Dotted decimal; an arc that does not fit 64 bits reads as `?`.
    package var description: String {
        var arcs: [String] = []
        var value: UInt64? = 0
        for octet in encoded {
            value = value.flatMap { $0 < 1 << 57 ? $0 << 7 | UInt64(octet & 0x7f) : nil }
            guard octet & 0x80 == 0 else { continue }
            if arcs.isEmpty, let first = value {
                let root = min(first / 40, 2)
                arcs = [String(root), String(first - root * 40)]
            } else {
                arcs.append(value.map(String.init) ?? "?")
            }
            value = 0
        }
        return arcs.joined(separator: ".")
    }
}
