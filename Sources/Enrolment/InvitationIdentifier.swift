import Bytes

/// Names one invitation in lists, paths and logs; it is no secret and opens nothing.
package struct InvitationIdentifier: Hashable, Sendable {
    /// 16 lower-case hexadecimal digits.
    package let rawValue: String

    /// - Returns: nil unless the text is 16 lower-case hexadecimal digits.
    package init?(_ text: String) {
        guard text.utf8.count == 16, let bytes = Hex.decode(text), Hex.encode(bytes) == text else {
            return nil
        }
        rawValue = text
    }

    init(using generator: inout some RandomNumberGenerator) {
        rawValue = Hex.encode(Secret.bytes(8, using: &generator))
    }
}

extension InvitationIdentifier: CustomStringConvertible {
    package var description: String { rawValue }
}

extension InvitationIdentifier: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let identifier = InvitationIdentifier(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not the identifier of an invitation",
            )
        }
        self = identifier
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
