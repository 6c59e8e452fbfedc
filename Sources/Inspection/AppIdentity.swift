import Bundles
package import Cryptography
package import Identifiers

/// Which app, and which bytes.
package struct AppIdentity: Codable, Equatable, Sendable {
    /// Nil when Info.plist has none or an invalid one, which is then a finding.
    package let bundleIdentifier: BundleIdentifier?
    /// What the home screen shows; the folder's name when Info.plist gives none.
    package let name: String
    /// `CFBundleShortVersionString`.
    package let version: String?
    /// `CFBundleVersion`.
    package let build: String?
    /// `MinimumOSVersion`, such as `15.0`.
    package let minimumOS: String?
    /// The names of ``DeviceFamily/name``: `iphone`, `ipad`, `tv`, `watch`, `vision`.
    package let families: [String]
    /// The models that alone may install it (`UISupportedDevices` of a thinned variant); nil for any.
    package let supportedModels: [String]?
    /// `UIRequiredDeviceCapabilities`: true for what a device must have, false for what it must not;
    /// nil in reports from before they were kept.
    package let capabilities: [String: Bool]?
    /// The IPA's size in bytes.
    package let size: Int
    /// The IPA's digest.
    package let sha256: SHA256Digest
    /// The app's folder in the archive, such as `Payload/Browsey.app`.
    package let path: String

    package init(
        bundleIdentifier: BundleIdentifier?,
        name: String,
        version: String?,
        build: String?,
        minimumOS: String?,
        families: [String],
        supportedModels: [String]? = nil,
        capabilities: [String: Bool]? = nil,
        size: Int,
        sha256: SHA256Digest,
        path: String,
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.name = name
        self.version = version
        self.build = build
        self.minimumOS = minimumOS
        self.families = families
        self.supportedModels = supportedModels
        self.capabilities = capabilities
        self.size = size
        self.sha256 = sha256
        self.path = path
    }
}
