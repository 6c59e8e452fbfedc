import Bytes
import Cryptography
package import Essentials

/// Creates and verifies the challenges by which a device shows that it had this server's profile.
///
/// A challenge is 112 lower-case hexadecimal digits:
///
/// expiry     8 bytes, seconds since 1970, big-endian nonce      16 bytes code       32 bytes,
/// HMAC-SHA256 over a label, the invitation's identifier, expiry and nonce
///
/// In an invitation for many, the name that the tester has entered is between nonce and code, and
/// authenticated too: up to 200 bytes of UTF-8, with 2 digits each. Nothing is stored. A challenge is
/// valid for one invitation.
package struct ChallengeAuthority: Sendable {
    /// How long a profile may wait to be installed, in seconds; iOS drops it after eight minutes.
    package static let lifetime: TimeInterval = 15 * 60
    /// The most bytes of a name.
    package static let nameLimit = 200
    /// Bytes before the name: expiry and nonce.
    private static let frontLength = 24
    private static let codeLength = 32
    private static let label = "ota enrolment challenge 1"

    private let key: [UInt8]

    /// - Parameter key: the store's secret, 32 bytes.
    package init(key: [UInt8]) {
        self.key = key
    }

    /// Returns a new challenge, which expires with the invitation if that is sooner.
    ///
    /// - Parameters:
    ///   - invitation: the device's invitation.
    ///   - name: the tester's name for the device, at most ``nameLimit`` bytes; nil if the invitation has
    ///     it.
    ///   - date: the current time.
    ///   - generator: generates the nonce.
    /// - Returns: hexadecimal digits.
    package func challenge(
        for invitation: Invitation,
        named name: String? = nil,
        at date: Date,
        using generator: inout some RandomNumberGenerator,
    ) -> String {
        let end = min(date.addingTimeInterval(Self.lifetime), invitation.expires)
        let seconds = UInt64(max(0, end.timeIntervalSince1970))
        let expiry = (0..<8).reversed().map { UInt8(truncatingIfNeeded: seconds >> ($0 * 8)) }
        let front =
            expiry + Secret.bytes(16, using: &generator)
            + Array((name ?? "").utf8.prefix(Self.nameLimit))
        return Hex.encode(front + code(over: front, for: invitation.identifier))
    }

    /// Verifies that this server created `challenge` for the invitation and that it has not expired.
    ///
    /// - Returns: the name that the tester entered; nil for none.
    func verify(
        _ challenge: String,
        for invitation: InvitationIdentifier,
        at date: Date,
    ) throws(EnrolmentRefusal) -> String? {
        let least = Self.frontLength + Self.codeLength
        guard (2 * least...2 * (least + Self.nameLimit)).contains(challenge.utf8.count),
            let bytes = Hex.decode(challenge)
        else { throw .wrongChallenge }
        let front = Array(bytes.dropLast(Self.codeLength))
        let expected = Hex.encode(front + code(over: front, for: invitation))
        guard constantTimeEqual(Array(expected.utf8), Array(challenge.utf8)) else {
            throw .wrongChallenge
        }
        let seconds = front[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let end = Date(timeIntervalSince1970: Double(seconds))
        guard date < end else { throw .expiredChallenge(end) }
        let name = front.dropFirst(Self.frontLength)
        return name.isEmpty ? nil : String(validating: name, as: UTF8.self)
    }

    private func code(over front: [UInt8], for invitation: InvitationIdentifier) -> [UInt8] {
        authenticationCode(
            of: Array("\(Self.label)\0\(invitation)\0".utf8) + front,
            key: key,
        )
    }
}
