import Bytes

/// A SHA-256 value; as text and in JSON 64 lower-case hexadecimal digits.
package struct SHA256Digest: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    /// Digests `bytes`.
    package init(of bytes: some Sequence<UInt8>) {
        self.bytes = DigestAlgorithm.sha256.digest(of: bytes)
    }

    /// Takes 64 hexadecimal digits in either case; nil for anything else.
    package init?(hex: some StringProtocol) {
        guard let bytes = Hex.decode(hex), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Takes a digest as it stands; nil unless there are 32 bytes.
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
