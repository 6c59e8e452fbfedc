import Bundles
import Cryptography
import Identifiers

/// The output of `ota inspect --json`: the app's identity, its profile and signature, and its nested
/// bundles.
///
/// Dates are ISO 8601 in UTC. Devices are a count unless their UDIDs are requested.
package struct InspectionDocument: Encodable, Sendable {
    private let schema = 1
    @OrNull private var bundleIdentifier: BundleIdentifier?
    private let name: String
    @OrNull private var version: String?
    @OrNull private var build: String?
    @OrNull private var minimumOS: String?
    private let families: [String]
    private let size: Int
    private let sha256: String
    private let path: String
    @OrNull private var installsUntil: String?
    @OrNull private var installsUntilBecause: ExpiryDocument?
    @OrNull private var profile: ProfileDocument?
    @OrNull private var signature: SignatureDocument?
    private let slices: [SliceDocument]
    private let entitlements: [EntitlementDocument]
    private let nested: [NestedDocument]
    /// The largest files, and the totals; nil when the archive itself is not available.
    @OrNull private var files: [ArchiveContents.File]?
    @OrNull private var contents: ContentsDocument?

    /// With `udids`, also lists the devices' UDIDs in `deviceIdentifiers`.
    package init(
        _ report: InspectionReport,
        contents: ArchiveContents? = nil,
        udids: Bool = false,
    ) {
        let identity = report.identity
        bundleIdentifier = identity.bundleIdentifier
        name = identity.name
        version = identity.version
        build = identity.build
        minimumOS = identity.minimumOS
        families = identity.families
        size = identity.size
        sha256 = identity.sha256.description
        path = identity.path
        let expiry = report.expiries.first
        installsUntil = expiry?.date.iso8601
        installsUntilBecause = expiry.map(ExpiryDocument.init)
        profile = report.profile.map { ProfileDocument($0, udids: udids) }
        signature = report.signature.map(SignatureDocument.init)
        slices = report.signature?.slices.map(SliceDocument.init) ?? []
        entitlements = report.signature?.entitlements.map(EntitlementDocument.init) ?? []
        nested = report.nested.map { NestedDocument($0, udids: udids) }
        files = contents?.biggest
        self.contents = contents.map(ContentsDocument.init)
    }
}

private struct NestedDocument: Encodable, Sendable {
    private let path: String
    private let kind: BundleKind
    @OrNull private var bundleIdentifier: String?
    @OrNull private var version: String?
    @OrNull private var build: String?
    @OrNull private var profile: ProfileDocument?
    @OrNull private var signature: SignatureDocument?
    private let slices: [SliceDocument]
    private let entitlements: [EntitlementDocument]

    init(_ bundle: NestedBundle, udids: Bool) {
        path = bundle.path
        kind = bundle.kind
        bundleIdentifier = bundle.bundleIdentifier
        version = bundle.version
        build = bundle.build
        profile = bundle.profile.map { ProfileDocument($0, udids: udids) }
        signature = bundle.signature.map(SignatureDocument.init)
        slices = bundle.signature?.slices.map(SliceDocument.init) ?? []
        entitlements = bundle.signature?.entitlements.map(EntitlementDocument.init) ?? []
    }
}

private struct ContentsDocument: Encodable, Sendable {
    private let files: Int
    private let size: Int
    private let compressedSize: Int

    init(_ contents: ArchiveContents) {
        files = contents.count
        size = contents.size
        compressedSize = contents.compressedSize
    }
}
