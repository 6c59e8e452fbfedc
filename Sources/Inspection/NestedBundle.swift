package import Bundles

/// A bundle nested in the app, as a report stores it.
package struct NestedBundle: Codable, Equatable, Sendable {
    /// The path in the archive, such as `Payload/X.app/PlugIns/W.appex`.
    package let path: String
    package let kind: BundleKind
    /// As in Info.plist, and possibly invalid; nil when Info.plist has none.
    package let bundleIdentifier: String?
    package let version: String?
    package let build: String?
    /// `MinimumOSVersion`; nil when Info.plist has none, and in reports from before `ota` stored it.
    package let minimumOS: String?
    /// The extension point, such as `com.apple.share-services`; nil for other bundles and in reports from
    /// before `ota` stored it.
    package let extensionPoint: String?
    package let profile: ProfileSummary?
    package let signature: SignatureSummary?

    package init(
        path: String,
        kind: BundleKind,
        bundleIdentifier: String?,
        version: String?,
        build: String?,
        minimumOS: String? = nil,
        extensionPoint: String? = nil,
        profile: ProfileSummary?,
        signature: SignatureSummary? = nil,
    ) {
        self.path = path
        self.kind = kind
        self.bundleIdentifier = bundleIdentifier
        self.version = version
        self.build = build
        self.minimumOS = minimumOS
        self.extensionPoint = extensionPoint
        self.profile = profile
        self.signature = signature
    }
}
