import Bytes
package import Cryptography

/// The secret at the end of an invitation's link; the register stores only its digest.
///
/// It has 128 random bits, so it cannot be guessed, and an unsalted digest reveals nothing.
package struct LinkToken: Hashable, Sendable {
    /// 32 lower-case hexadecimal digits.
    package let text: String

    /// - Returns: nil unless the text is 32 lower-case hexadecimal digits.
    package init?(_ text: String) {
        guard text.utf8.count == 32, let bytes = Hex.decode(text), Hex.encode(bytes) == text else {
            return nil
        }
        self.text = text
    }

    init(using generator: inout some RandomNumberGenerator) {
        text = Hex.encode(Secret.bytes(16, using: &generator))
    }

    package var digest: SHA256Digest { SHA256Digest(of: text.utf8) }
}
