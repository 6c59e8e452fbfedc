/// The key of a webhook's signatures, as text: what both sides feed to HMAC-SHA256 byte by byte.
package struct WebhookSecret: Codable, Sendable, Equatable {
    /// Bytes that a secret may have.
    package static let lengths = 16...256

    package let text: String

    /// - Returns: nil unless it is 16 to 256 printable ASCII characters without space.
    package init?(_ text: String) {
        guard Self.lengths.contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.text = text
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let secret = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not a webhook's secret",
            )
        }
        self = secret
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
