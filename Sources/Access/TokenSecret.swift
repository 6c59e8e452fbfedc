import Bytes
package import Cryptography

/// What a client shows: `ota_`, eight digits that find the token, `_`, and 64 that prove it.
///
/// 256 random bits cannot be guessed, so a plain digest of them is safe to store.
package struct TokenSecret: Sendable {
    static let prefix = "ota_"

    /// Shown once, when the token is made.
    package let text: String
    /// Eight hexadecimal digits.
    package let identifier: String

    /// Makes one; `random` returns that many unpredictable bytes.
    package init(random: (Int) -> [UInt8]) {
        identifier = Hex.encode(random(4))
        text = Self.prefix + identifier + "_" + Hex.encode(random(32))
    }

    /// - Returns: nil for what does not have the form.
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
