import Bytes
package import Cryptography

/// The secret that a client sends: `ota_`, eight digits that identify the token, `_`, and 64 that prove it.
///
/// It has 256 random bits, which cannot be guessed, so storing a plain digest is safe.
package struct TokenSecret: Sendable {
    static let prefix = "ota_"

    /// Shown once, when the token is created.
    package let text: String
    /// Eight hexadecimal digits.
    package let identifier: String

    /// Generates a secret; `random` returns the given number of cryptographically secure random bytes.
    package init(random: (Int) -> [UInt8]) {
        identifier = Hex.encode(random(4))
        text = Self.prefix + identifier + "_" + Hex.encode(random(32))
    }

    /// - Returns: nil if the text does not have the format.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 77, text.hasPrefix(Self.prefix) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: "_")
        guard parts.count == 2, parts[0].utf8.count == 8, parts[1].utf8.count == 64,
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase } })
        else { return nil }
        identifier = String(parts[0])
        self.text = String(text)
    }

    package var digest: SHA256Digest { SHA256Digest(of: Array(text.utf8)) }
}
