/// Who may have signed a message: the shape of the chain from the signer to a trusted root.
package struct SignerPolicy: Sendable {
    /// The common name that the signer's certificate must carry; nil for any.
    package var signerName: String?
    /// The common name of the authority that issued it; nil for any.
    package var issuerName: String?
    /// The number of certificates with signer and root; nil for any.
    package var chainLength: Int?
    /// Whether every certificate below the root must be in its validity.
    package var checksDates: Bool
    /// The signer must carry one of these extensions; empty asks for none.
    package var signerMarkers: [OID] = []
    /// The issuer must carry every one of these extensions.
    package var issuerMarkers: [OID] = []
    /// The signer must be good for every one of these purposes.
    package var purposes: [OID] = []
    /// Critical extensions that the policy understands beyond those of RFC 5280 read here.
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
    /// Profiles for iOS, tvOS, watchOS and visionOS, as devices judge them.
    ///
    /// Apple's `SecPolicyCreateiPhoneProvisioningProfileSigning`: both names pinned, three
    /// certificates, no dates. The certificates of 2020 and 2022 have lapsed and their profiles
    /// still install; what counts is the expiry inside the profile.
    package static let provisioningProfile = SignerPolicy(
        signerName: "Apple iPhone OS Provisioning Profile Signing",
        issuerName: "Apple iPhone Certification Authority",
        chainLength: 3,
        checksDates: false,
    )

    /// Profiles for macOS, which no iOS device accepts.
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

    /// The second, DER-encoded form that profiles carry inside since 2021.
    package static let encodedProvisioningProfile = SignerPolicy(
        signerName: "WWDR Provisioning Profile Signing",
        issuerName: "Apple System Integration CA 4",
        chainLength: 3,
        checksDates: false,
    )
}
