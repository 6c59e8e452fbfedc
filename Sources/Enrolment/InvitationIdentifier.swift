import Bytes

/// Identifies an invitation in lists, paths and logs; it is not secret and gives no access.
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

extension InvitationIdentifier: TextCoded {
    package static let kindOfText = "the identifier of an invitation"
}
