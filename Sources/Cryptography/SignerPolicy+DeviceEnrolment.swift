extension SignerPolicy {
    /// What a device posts while it enrols.
    ///
    /// Apple's `SecPolicyCreateiPhoneDeviceCertificate`: an issuer of this name and no check of
    /// dates, for the authority's certificate ended in 2014. Apple demands four certificates up to
    /// its root; here the authority is itself the anchor (``TrustAnchors/appleDevices``), so there
    /// are two: no device certifies another, and nothing that a message embeds is on the way.
    package static let deviceEnrolment = SignerPolicy(
        issuerName: "Apple iPhone Device CA",
        chainLength: 2,
        checksDates: false,
    )
}
