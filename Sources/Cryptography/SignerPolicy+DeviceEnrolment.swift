extension SignerPolicy {
    /// The policy for messages that a device posts while it enrols.
    ///
    /// Apple's `SecPolicyCreateiPhoneDeviceCertificate`: an issuer with this name, and no check of dates,
    /// because the authority's certificate expired in 2014. Apple requires four certificates up to its
    /// root. Here the authority itself is the anchor (``TrustAnchors/appleDevices``), so there are two:
    /// no device certifies another, and certificates embedded in the message are not used.
    package static let deviceEnrolment = SignerPolicy(
        issuerName: "Apple iPhone Device CA",
        chainLength: 2,
        checksDates: false,
    )
}
