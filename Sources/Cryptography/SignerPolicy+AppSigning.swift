extension SignerPolicy {
    /// The policy by which iOS checks the signers of apps outside the App Store.
    ///
    /// Apple's `SecPolicyCreateiPhoneProfileApplicationSigning`: three certificates, an issuer marked as
    /// Worldwide Developer Relations, a leaf for code signing that is marked for development or
    /// distribution, and valid dates. Apple's markers in a leaf are critical extensions that
    /// general-purpose readers do not know.
    package static let appSigning: SignerPolicy = {
        var policy = SignerPolicy(chainLength: 3)
        policy.signerMarkers = appMarkers
        policy.issuerMarkers = ["1.2.840.113635.100.6.2.1"]
        policy.purposes = [.codeSigning]
        policy.knownCriticalExtensions = Set(appMarkers + companionMarkers)
        return policy
    }()

    /// Markers of iPhone and Apple Development, iPhone and Apple Distribution, and TestFlight
    /// certificates.
    private static let appMarkers: [OID] = [
        "1.2.840.113635.100.6.1.2", "1.2.840.113635.100.6.1.4", "1.2.840.113635.100.6.1.25.1",
    ]

    /// Markers of Mac Development and Mac Distribution, which certificates for all platforms also have;
    /// without one of ``appMarkers`` they do not allow signing iOS apps.
    private static let companionMarkers: [OID] = [
        "1.2.840.113635.100.6.1.12", "1.2.840.113635.100.6.1.7",
    ]

    /// The same policy without the check of dates.
    package var ignoringDates: SignerPolicy {
        var policy = self
        policy.checksDates = false
        return policy
    }
}
