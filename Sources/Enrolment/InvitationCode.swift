import Bytes
import Cryptography
package import Essentials

/// Six digits that a tester types instead of opening a link.
package struct InvitationCode: Hashable, Sendable {
    /// How long a code is good for, in seconds.
    package static let lifetime: TimeInterval = 15 * 60

    /// Six ASCII digits.
    package let digits: String

    /// Takes what people type: any script's digits, with spaces and hyphens between them.
    ///
    /// - Returns: nil unless six digits are left.
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

    /// `123 456`, as it is read out.
    package var spaced: String { "\(digits.prefix(3)) \(digits.suffix(3))" }

    /// What the register keeps of a code: enough to know it again for a quarter of an hour.
    ///
    /// Who reads the document within that time can try a million codes in a second; the salt only
    /// keeps equal codes from looking equal.
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

        /// In a time that does not depend on the code.
        func isOf(_ code: InvitationCode) -> Bool {
            constantTimeEqual(digest.bytes, Self.digest(of: code, salt: salt).bytes)
        }

        private static func digest(of code: InvitationCode, salt: String) -> SHA256Digest {
            SHA256Digest(of: Array("\(salt) \(code.digits)".utf8))
        }
    }
}
