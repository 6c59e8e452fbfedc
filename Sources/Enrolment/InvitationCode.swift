import Bytes
import Cryptography
package import Essentials

/// Six digits that a tester types instead of opening a link.
package struct InvitationCode: Hashable, Sendable {
    /// How long a code is valid, in seconds.
    package static let lifetime: TimeInterval = 15 * 60

    /// Six ASCII digits.
    package let digits: String

    /// Parses what people type: digits of any script, with spaces and hyphens between them.
    ///
    /// - Returns: nil unless there are exactly six digits.
    package init?(typed text: String) {
        guard text.utf8.count <= 64 else { return nil }
        let kept = text.filter { !$0.isWhitespace && $0 != "-" }
        let values = kept.compactMap(\.wholeNumberValue)
        guard kept.count == 6, values.count == 6, values.allSatisfy((0...9).contains) else {
            return nil
        }
        digits = values.map(String.init).joined()
    }

    init(using generator: inout some RandomNumberGenerator) {
        let number = String(Int.random(in: 0..<1_000_000, using: &generator))
        digits = String(repeating: "0", count: 6 - number.count) + number
    }

    /// The digits as shown to people: `123 456`.
    package var spaced: String { "\(digits.prefix(3)) \(digits.suffix(3))" }

    /// The stored form of a code: enough to recognise it while it is valid.
    ///
    /// Anyone who reads the document within that time can try all million codes in a second; the salt
    /// only keeps equal codes from having equal digests.
    package struct Trace: Codable, Sendable, Equatable {
        /// 32 hexadecimal digits.
        let salt: String
        let digest: SHA256Digest
        package let expires: Date

        init(
            of code: InvitationCode,
            at date: Date,
            using generator: inout some RandomNumberGenerator,
        ) {
            salt = Hex.encode(Secret.bytes(16, using: &generator))
            digest = Self.digest(of: code, salt: salt)
            expires = date.addingTimeInterval(InvitationCode.lifetime)
        }

        /// Returns whether this is the code, in constant time.
        func isOf(_ code: InvitationCode) -> Bool {
            constantTimeEqual(digest.bytes, Self.digest(of: code, salt: salt).bytes)
        }

        private static func digest(of code: InvitationCode, salt: String) -> SHA256Digest {
            SHA256Digest(of: Array("\(salt) \(code.digits)".utf8))
        }
    }
}
