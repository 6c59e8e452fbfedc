import Bundles
package import Cryptography
package import Identifiers

/// The app's identity, as Info.plist states it, and the archive that holds it.
package struct AppIdentity: Codable, Equatable, Sendable {
    /// Nil when Info.plist has no identifier or an invalid one, which is then a finding.
    package let bundleIdentifier: BundleIdentifier?
    /// The name on the Home Screen; the folder's name when Info.plist has none.
    package let name: String
    /// `CFBundleShortVersionString`.
    package let version: String?
    /// `CFBundleVersion`.
    package let build: String?
    /// `MinimumOSVersion`, such as `15.0`.
    package let minimumOS: String?
    /// The device families, as ``DeviceFamily/name``: `iphone`, `ipad`, `tv`, `watch`, `vision`.
    package let families: [String]
    /// The only models that may install it (`UISupportedDevices` of a thinned variant); nil for any.
    package let supportedModels: [String]?
    /// `UIRequiredDeviceCapabilities`: true for a capability that a device must have, false for one that
    /// it must not have; nil in reports from before `ota` stored it.
    package let capabilities: [String: Bool]?
    /// The IPA's size in bytes.
    package let size: Int
    /// The IPA's SHA-256 digest.
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
