/// An executable's signature as `inspect --json` gives it.
struct SignatureDocument: Encodable, Sendable {
    /// The executable's path in the archive.
    private let path: String
    @OrNull private var identifier: String?
    @OrNull private var team: String?
    @OrNull private var codeHash: String?
    @OrNull private var hash: String?
    private let intact: Bool
    /// The signer's certificate first, the root's last.
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

/// One entitlement, as the code claims it and as the profile grants it.
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
