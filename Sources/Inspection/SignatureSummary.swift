/// What a report stores of an executable and its signature.
package struct SignatureSummary: Codable, Equatable, Sendable {
    /// The executable's path in the archive.
    package let path: String
    /// The identifier in the signature; nil for unsigned code.
    package let identifier: String?
    /// The team in the signature; nil for unsigned code.
    package let team: String?
    /// The code directory hash that identifies the code, forty hexadecimal digits.
    package let codeHash: String?
    /// The hash algorithm of the signature, such as `sha256`; nil in reports from before `ota` stored it.
    package let hash: String?
    /// The proven certificate chain, from the signer's to the root's; empty when no signer is proven.
    package let signers: [CertificateSummary]
    /// Whether format, pages, slots, signer and seal are all valid, regardless of dates.
    ///
    /// An irregularity that devices are not known to refuse, such as padding that is not zero, does not
    /// count.
    package let isIntact: Bool
    package let slices: [SliceSummary]
    /// The entitlements that the code claims, with the profile's values, sorted by key.
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
    /// The name that lipo uses, such as `arm64`.
    package let architecture: String
    /// The platform that it was built for, such as `iOS`; nil when the code does not say.
    package let platform: String?
    package let minimumOS: String?
    package let sdk: String?
    /// Size in bytes.
    package let size: Int
    /// Whether the App Store has encrypted it (FairPlay).
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

/// An entitlement, with the value in the code and the value in the profile, in words.
package struct EntitlementSummary: Codable, Equatable, Sendable {
    package let key: String
    /// Nil when the code does not claim it.
    package let claimed: String?
    /// Nil when the profile does not grant it.
    package let granted: String?

    package init(key: String, claimed: String?, granted: String?) {
        self.key = key
        self.claimed = claimed
        self.granted = granted
    }
}
