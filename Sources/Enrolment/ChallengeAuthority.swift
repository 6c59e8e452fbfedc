import Bytes
import Cryptography
package import Essentials

/// Makes and verifies what a device must give back to show that it had this server's profile.
///
/// As 112 lower-case hexadecimal digits:
///
///     expiry     8 bytes, seconds since 1970, big-endian
///     nonce      16 bytes
///     code       32 bytes, HMAC-SHA256 over a label, the invitation's identifier, expiry and nonce
///
/// Nothing is stored. A challenge is good for one invitation, which lets one device in.
package struct ChallengeAuthority: Sendable {
    /// How long a profile may wait to be installed, in seconds; iOS drops it after eight minutes.
    package static let lifetime: TimeInterval = 15 * 60
    private static let label = "ota enrolment challenge 1"

    private let key: [UInt8]

    /// - Parameter key: the store's secret, 32 bytes.
    package init(key: [UInt8]) {
        self.key = key
    }

    /// A new challenge that ends with the invitation if that is sooner.
    package func challenge(
        for invitation: Invitation,
        at date: Date,
        using generator: inout some RandomNumberGenerator,
    ) -> String {
        let end = min(date.addingTimeInterval(Self.lifetime), invitation.expires)
        let seconds = UInt64(max(0, end.timeIntervalSince1970))
        let expiry = (0..<8).reversed().map { UInt8(truncatingIfNeeded: seconds >> ($0 * 8)) }
        let front = expiry + Secret.bytes(16, using: &generator)
        return Hex.encode(front + code(over: front, for: invitation.identifier))
    }

    /// Proves that this server made `challenge` for the invitation and that its time is not over.
    func verify(
        _ challenge: String,
        for invitation: InvitationIdentifier,
        at date: Date,
    ) throws(EnrolmentRefusal) {
        guard challenge.utf8.count == 112, let bytes = Hex.decode(challenge) else {
            throw .wrongChallenge
        }
        let front = Array(bytes[..<24])
        let expected = Hex.encode(front + code(over: front, for: invitation))
        guard constantTimeEqual(Array(expected.utf8), Array(challenge.utf8)) else {
            throw .wrongChallenge
        }
        let seconds = front[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let end = Date(timeIntervalSince1970: Double(seconds))
        guard date < end else { throw .expiredChallenge(end) }
    }

    private func code(over front: [UInt8], for invitation: InvitationIdentifier) -> [UInt8] {
        authenticationCode(
            of: Array("\(Self.label)\0\(invitation)\0".utf8) + front,
            key: key,
        )
    }
}
