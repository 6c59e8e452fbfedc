/// The key of a webhook's signatures as text; both sides use its bytes as the key of HMAC-SHA256.
package struct WebhookSecret: Codable, Sendable, Equatable {
    /// The allowed lengths of a secret, in bytes.
    package static let lengths = 16...256

    package let text: String

    /// - Returns: nil unless the text consists of 16 to 256 printable ASCII characters without spaces.
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
