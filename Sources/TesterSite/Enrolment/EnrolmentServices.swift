package import Cryptography
package import Enrolment
package import HTTPServing
package import Store

/// How devices prove what they are.
package struct EnrolmentServices: Sendable {
    let challenges: ChallengeAuthority
    /// The authorities under which devices prove themselves when they enrol.
    let deviceAnchors: TrustAnchors
    /// Signs enrolment profiles.
    let certificate: CurrentCertificate
    /// Counts recent attempts to enter a code.
    let codes: TypedCodes

    /// - Parameters:
    ///   - challenges: bind a device's answer to an invitation.
    ///   - deviceAnchors: whose devices are believed when they enrol.
    ///   - certificate: signs enrolment profiles.
    ///   - store: of the server; other servers on it count the same codes.
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
