/// What a report keeps of an executable and its signature.
package struct SignatureSummary: Codable, Equatable, Sendable {
    /// The executable's path in the archive.
    package let path: String
    /// The identifier that the code is signed with; nil when it is not signed.
    package let identifier: String?
    /// The team that the code is signed for.
    package let team: String?
    /// What identifies the code, forty hexadecimal digits.
    package let codeHash: String?
    /// The digests that the signature consists of, such as `sha256`; nil in reports from before they
    /// were named.
    package let hash: String?
    /// The certificates that the signature is proven with, the signer's first and the root's last;
    /// empty when no signer is proven.
    package let signers: [CertificateSummary]
    /// Whether form, pages, slots, signer and seal all hold; dates are not asked.
    ///
    /// What a device is not known to refuse, such as padding that is not zeroes, breaks nothing.
    package let isIntact: Bool
    package let slices: [SliceSummary]
    /// What the code asks for beside what its profile grants, sorted by key.
    package let entitlements: [EntitlementSummary]

    package init(
        path: String,
        identifier: String?,
        team: String?,
        codeHash: String?,
        hash: String? = nil,
        signers: [CertificateSummary],
        isIntact: Bool,
        slices: [SliceSummary],
        entitlements: [EntitlementSummary],
    ) {
        self.path = path
        self.identifier = identifier
        self.team = team
        self.codeHash = codeHash
        self.hash = hash
        self.signers = signers
        self.isIntact = isIntact
        self.slices = slices
        self.entitlements = entitlements
    }
}

/// One architecture of an executable.
package struct SliceSummary: Codable, Equatable, Sendable {
    /// As lipo names it, such as `arm64`.
    package let architecture: String
    /// What it was built for, such as `iOS`; nil when it does not say.
    package let platform: String?
    package let minimumOS: String?
    package let sdk: String?
    /// Bytes.
    package let size: Int
    /// Whether it is encrypted for one account of the App Store.
    package let isEncrypted: Bool

    package init(
        architecture: String,
        platform: String?,
        minimumOS: String?,
        sdk: String?,
        size: Int,
        isEncrypted: Bool,
    ) {
        self.architecture = architecture
        self.platform = platform
        self.minimumOS = minimumOS
        self.sdk = sdk
        self.size = size
        self.isEncrypted = isEncrypted
    }
}

/// One entitlement, as the code claims it and as the profile grants it, in words.
package struct EntitlementSummary: Codable, Equatable, Sendable {
    package let key: String
    /// Nil when the code does not ask for it.
    package let claimed: String?
    /// Nil when the profile does not grant it.
    package let granted: String?

    package init(key: String, claimed: String?, granted: String?) {
        self.key = key
        self.claimed = claimed
        self.granted = granted
    }
}
