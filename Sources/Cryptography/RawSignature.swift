import ASN1Reading
import Bytes
import SwiftASN1

/// A P-256 ECDSA signature in the form of tokens: R and S of 32 bytes each (RFC 7518 section 3.4).
package struct RawSignature: Sendable {
    private static let width = 32

    /// R and S, 64 bytes together.
    package let bytes: [UInt8]

    /// Converts an `ECDSA-Sig-Value` (RFC 3279 section 2.2.3), as OpenSSL makes it; nil for anything
    /// else.
    package init?(der: [UInt8]) {
        guard let numbers = try? Self.numbers(in: der) else { return nil }
        let parts = numbers.map { $0.drop { $0 == 0 } }
        guard parts.allSatisfy({ $0.count <= Self.width }) else { return nil }
        bytes = parts.flatMap { Array(repeating: 0, count: Self.width - $0.count) + $0 }
    }

    private static func numbers(in der: [UInt8]) throws(MalformedBytes) -> [[UInt8]] {
        let root = try ElementReader.root(der[...], "signature", isDistinguished: true)
        var reader = try ElementReader(root, .sequence, "signature")
        let numbers = [try reader.integer("r"), try reader.integer("s")]
        try reader.end()
        return numbers
    }
}
