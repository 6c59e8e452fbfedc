extension SignerPolicy {
    /// Apps outside the App Store, as iOS judges who signed them.
    ///
    /// Apple's `SecPolicyCreateiPhoneProfileApplicationSigning`: three certificates, an issuer that
    /// is marked as Worldwide Developer Relations, a leaf for code signing that is marked for
    /// development or distribution, and every date in order. Apple sets the marks of a leaf as
    /// critical extensions, which no general reader of certificates knows.
    package static let appSigning: SignerPolicy = {
        var policy = SignerPolicy(chainLength: 3)
        policy.signerMarkers = appMarkers
        policy.issuerMarkers = ["1.2.840.113635.100.6.2.1"]
        policy.purposes = [.codeSigning]
        policy.knownCriticalExtensions = Set(appMarkers + companionMarkers)
        return policy
    }()

    /// iPhone and Apple Development, iPhone and Apple Distribution, TestFlight.
    private static let appMarkers: [OID] = [
        "1.2.840.113635.100.6.1.2", "1.2.840.113635.100.6.1.4", "1.2.840.113635.100.6.1.25.1",
    ]

    /// Mac Development and Mac Distribution, which certificates for every platform carry besides;
    /// alone they make no signer of apps for iOS.
    private static let companionMarkers: [OID] = [
        "1.2.840.113635.100.6.1.12", "1.2.840.113635.100.6.1.7",
    ]

    /// The same policy for every date.
    package var ignoringDates: SignerPolicy {
        var policy = self
        policy.checksDates = false
        return policy
    }
}
