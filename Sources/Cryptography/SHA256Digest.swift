import Bytes

/// A SHA-256 digest; in text and JSON it is 64 lower-case hexadecimal digits.
package struct SHA256Digest: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    /// Hashes `bytes`.
    package init(of bytes: some Sequence<UInt8>) {
        self.bytes = DigestAlgorithm.sha256.digest(of: bytes)
    }

    /// Parses 64 hexadecimal digits in either case; nil for anything else.
    package init?(hex: some StringProtocol) {
        guard let bytes = Hex.decode(hex), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Creates a digest from its bytes; nil unless there are 32.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Array(bytes)
    }

    init(finished bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension SHA256Digest: CustomStringConvertible {
    package var description: String { Hex.encode(bytes) }
}

extension SHA256Digest: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let digest = SHA256Digest(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a SHA-256 digest is 64 hexadecimal digits",
            )
        }
        self = digest
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
