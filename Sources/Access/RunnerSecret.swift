import Bytes
package import Cryptography

/// A secret of a runner's agent: the code that it registers with, or the token that it then
/// receives.
///
/// Its prefix differs from that of a ``TokenSecret``, so that neither is ever mistaken for the
/// other. It has enough random bits that a plain digest is safe to store.
package struct RunnerSecret: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// `otc_` and 32 hexadecimal digits; for one registration.
        case code = "otc_"
        /// `otr_` and 64 hexadecimal digits.
        case token = "otr_"

        fileprivate var byteCount: Int {
            switch self {
            case .code: 16
            case .token: 32
            }
        }
    }

    package let kind: Kind
    /// Shown once, when the secret is created.
    package let text: String

    /// Generates a secret; `random` returns the given number of cryptographically secure random bytes.
    package init(_ kind: Kind, random: (Int) -> [UInt8]) {
        self.kind = kind
        text = kind.rawValue + Hex.encode(random(kind.byteCount))
    }

    /// - Returns: nil if the text does not have the format.
    package init?(_ kind: Kind, _ text: some StringProtocol) {
        let digits = text.utf8.dropFirst(kind.rawValue.utf8.count)
        guard text.utf8.starts(with: kind.rawValue.utf8), digits.count == 2 * kind.byteCount,
            digits.allSatisfy(Self.isDigit)
        else { return nil }
        self.kind = kind
        self.text = String(text)
    }

    package var digest: SHA256Digest { SHA256Digest(of: Array(text.utf8)) }

    /// Whether the secret has the stored digest; compared in constant time.
    package func matches(_ digest: SHA256Digest?) -> Bool {
        let expected = digest?.bytes ?? [UInt8](repeating: 0, count: 32)
        return constantTimeEqual(self.digest.bytes, expected) && digest != nil
    }

    /// Returns the text with the digits of runners' codes and tokens masked.
    package static func masked(in text: String) -> String {
        guard Kind.allCases.contains(where: { text.containsBytes(of: $0.rawValue) }) else {
            return text
        }
        var rest = Array(text.utf8)[...]
        var shown: [UInt8] = []
        let prefixes = Kind.allCases.map { Array($0.rawValue.utf8) }
        while let byte = rest.first {
            guard let prefix = prefixes.first(where: { rest.starts(with: $0) }) else {
                shown.append(byte)
                rest = rest.dropFirst()
                continue
            }
            shown += prefix
            rest = rest.dropFirst(prefix.count)
            let secret = rest.prefix {
                isDigit($0) || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0)
            }
            guard !secret.isEmpty else { continue }
            shown += Array("…".utf8)
            rest = rest[secret.endIndex...]
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// Whether a byte is a lower-case hexadecimal digit.
    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
