package import Cryptography
package import Enrolment
package import HTTPServing
package import Store

/// The services by which devices prove their identity.
package struct EnrolmentServices: Sendable {
    let challenges: ChallengeAuthority
    /// The root certificates of the devices' identities.
    let deviceAnchors: TrustAnchors
    /// Signs enrolment profiles.
    let certificate: CurrentCertificate
    /// Counts recent attempts to enter a code.
    let codes: TypedCodes

    /// - Parameters:
    ///   - challenges: bind a device's response to an invitation.
    ///   - deviceAnchors: the root certificates of the devices' identities.
    ///   - certificate: signs enrolment profiles.
    ///   - store: the server's store; other servers on it count the same codes.
    package init(
        challenges: ChallengeAuthority,
        deviceAnchors: TrustAnchors,
        certificate: CurrentCertificate,
        store: OTAStore,
    ) {
        self.challenges = challenges
        self.deviceAnchors = deviceAnchors
        self.certificate = certificate
        codes = TypedCodes(in: store)
    }
}
