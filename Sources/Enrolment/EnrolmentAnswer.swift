package import Cryptography
package import Essentials

/// A device's response: a signed message that has not been verified yet.
package struct EnrolmentAnswer: Sendable {
    /// The most bytes; real responses have about five thousand.
    package static let limit = SignedMessage.Limits.enrolment.bytes

    private let message: SignedMessage

    /// Parses the message, in DER or BER; its size is checked first.
    package init(reading bytes: [UInt8]) throws(EnrolmentRefusal) {
        guard bytes.count <= Self.limit else { throw .tooLarge(limit: Self.limit) }
        do throws(MalformedMessage) {
            message = try SignedMessage(reading: bytes, limits: .enrolment)
        } catch {
            throw .malformed(error)
        }
    }

    /// Returns what the response claims, for operators who accept it without verification.
    package func claims() throws(EnrolmentRefusal) -> EnrolmentClaims {
        guard let content = message.content else { throw .forged(.contentMissing) }
        return try EnrolmentClaims(reading: content)
    }

    /// Verifies that a device signed the response, and that it responds to this invitation's profile.
    ///
    /// - Parameters:
    ///   - challenges: created the profile's challenge.
    ///   - invitation: the invitation that the response was posted for.
    ///   - anchors: the trusted root certificates; an authority for tests may be added.
    ///   - date: the current time.
    /// - Returns: the device.
    /// - Throws: ``EnrolmentRefusal``; the signature is verified before the content is parsed.
    package func verified(
        by challenges: ChallengeAuthority,
        for invitation: InvitationIdentifier,
        anchors: TrustAnchors = .appleDevices,
        at date: Date,
    ) throws(EnrolmentRefusal) -> EnrolledDevice {
        let proven: VerifiedMessage
        do throws(SignatureRefusal) {
            proven = try message.verified(by: .deviceEnrolment, anchors: anchors, at: date)
        } catch {
            throw .forged(error)
        }
        let claims = try EnrolmentClaims(reading: proven.content)
        let name = try challenges.verify(claims.challenge, for: invitation, at: date)
        return EnrolledDevice(
            proven: claims,
            named: name,
            for: invitation,
            at: date,
            by: proven.anchor,
        )
    }
}
