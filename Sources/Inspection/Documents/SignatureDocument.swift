/// An executable's signature in the output of `inspect --json`.
struct SignatureDocument: Encodable, Sendable {
    /// The executable's path in the archive.
    private let path: String
    @OrNull private var identifier: String?
    @OrNull private var team: String?
    @OrNull private var codeHash: String?
    @OrNull private var hash: String?
    private let intact: Bool
    /// The certificate chain, from the signer's to the root's.
    private let signers: [CertificateDocument]

    init(_ signature: SignatureSummary) {
        path = signature.path
        identifier = signature.identifier
        team = signature.team
        codeHash = signature.codeHash
        hash = signature.hash
        intact = signature.isIntact
        signers = signature.signers.map(CertificateDocument.init)
    }
}

/// One architecture of an executable.
struct SliceDocument: Encodable, Sendable {
    private let architecture: String
    @OrNull private var platform: String?
    @OrNull private var minimumOS: String?
    @OrNull private var sdk: String?
    private let size: Int
    private let encrypted: Bool

    init(_ slice: SliceSummary) {
        architecture = slice.architecture
        platform = slice.platform
        minimumOS = slice.minimumOS
        sdk = slice.sdk
        size = slice.size
        encrypted = slice.isEncrypted
    }
}

/// An entitlement, with the value in the code and the value in the profile.
struct EntitlementDocument: Encodable, Sendable {
    private let key: String
    @OrNull private var claimed: String?
    @OrNull private var granted: String?

    init(_ entitlement: EntitlementSummary) {
        key = entitlement.key
        claimed = entitlement.claimed
        granted = entitlement.granted
    }
}
