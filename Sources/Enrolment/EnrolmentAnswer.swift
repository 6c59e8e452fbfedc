package import Cryptography
package import Essentials

/// What a device posts: a signed message, not yet believed.
package struct EnrolmentAnswer: Sendable {
    /// In bytes; real ones take about five thousand.
    package static let limit = SignedMessage.Limits.enrolment.bytes

    private let message: SignedMessage

    /// Reads the message's form, in distinguished or basic encoding; its size is judged first.
    package init(reading bytes: [UInt8]) throws(EnrolmentRefusal) {
        guard bytes.count <= Self.limit else { throw .tooLarge(limit: Self.limit) }
        do throws(MalformedMessage) {
            message = try SignedMessage(reading: bytes, limits: .enrolment)
        } catch {
            throw .malformed(error)
        }
    }

    /// What the answer says, for an operator who takes devices at their word.
    package func claims() throws(EnrolmentRefusal) -> EnrolmentClaims {
        guard let content = message.content else { throw .forged(.contentMissing) }
        return try EnrolmentClaims(reading: content)
    }

    /// Proves that a device signed the answer, and that it answers this invitation's profile.
    ///
    /// - Parameters:
    ///   - challenges: what made the profile's challenge.
    ///   - invitation: the one that the answer was posted for.
    ///   - anchors: whose devices are believed; an authority for tests may be added.
    ///   - date: now.
    /// - Returns: the device.
    /// - Throws: ``EnrolmentRefusal``: the signature is verified before the content is read.
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
