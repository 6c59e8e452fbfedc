/// The requirements for the signer of a message and its certificate chain.
package struct SignerPolicy: Sendable {
    /// The common name that the signer's certificate must have; nil for any.
    package var signerName: String?
    /// The common name of the issuer of the signer's certificate; nil for any.
    package var issuerName: String?
    /// The number of certificates, including signer and root; nil for any.
    package var chainLength: Int?
    /// Whether every certificate below the root must be within its validity period.
    package var checksDates: Bool
    /// The signer's certificate must have at least one of these extensions; no requirement if empty.
    package var signerMarkers: [OID] = []
    /// The issuer's certificate must have all of these extensions.
    package var issuerMarkers: [OID] = []
    /// The signer's certificate must allow all of these purposes.
    package var purposes: [OID] = []
    /// Critical extensions that the policy accepts in addition to those of RFC 5280 that are evaluated.
    package var knownCriticalExtensions: Set<OID> = []

    package init(
        signerName: String? = nil,
        issuerName: String? = nil,
        chainLength: Int? = nil,
        checksDates: Bool = true,
    ) {
        self.signerName = signerName
        self.issuerName = issuerName
        self.chainLength = chainLength
        self.checksDates = checksDates
    }
}

extension SignerPolicy {
    /// Profiles for iOS, tvOS, watchOS and visionOS, as devices verify them.
    ///
    /// Apple's `SecPolicyCreateiPhoneProvisioningProfileSigning`: both names, three certificates, no
    /// check of dates. The signing certificates of 2020 and 2022 have expired, and their profiles still
    /// install; only the expiry date inside the profile counts.
    package static let provisioningProfile = SignerPolicy(
        signerName: "Apple iPhone OS Provisioning Profile Signing",
        issuerName: "Apple iPhone Certification Authority",
        chainLength: 3,
        checksDates: false,
    )

    /// Profiles for macOS, which iOS devices do not accept.
    ///
    /// Apple's `SecPolicyCreateOSXProvisioningProfileSigning`: two marker extensions and three
    /// certificates.
    package static let macProvisioningProfile: SignerPolicy = {
        var policy = SignerPolicy(
            signerName: "Mac OS X Provisioning Profile Signing",
            issuerName: "Apple Worldwide Developer Relations Certification Authority",
            chainLength: 3,
            checksDates: false,
        )
        policy.signerMarkers = ["1.2.840.113635.100.4.11"]
        policy.issuerMarkers = ["1.2.840.113635.100.6.2.1"]
        return policy
    }()

    /// The second, DER-encoded form inside profiles since 2021.
    package static let encodedProvisioningProfile = SignerPolicy(
        signerName: "WWDR Provisioning Profile Signing",
        issuerName: "Apple System Integration CA 4",
        chainLength: 3,
        checksDates: false,
    )
}
