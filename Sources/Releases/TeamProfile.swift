package import Bundles
package import Cryptography
package import Essentials

/// A provisioning profile of a team; its bytes are a blob.
package struct TeamProfile: Codable, Sendable, Equatable {
    package let uuid: String
    package let name: String
    package let kind: ProfileKind
    /// A bundle identifier such as `com.example.app`, possibly with `*` at the end.
    package let bundleIdentifier: String
    package let created: Date
    package let expires: Date
    /// The number of devices it lists; nil if it needs none.
    package let deviceCount: Int?
    /// The SHA-256 digests of the certificates that may sign with it.
    package let certificates: [SHA256Digest]
    /// The digest of the file.
    package let digest: SHA256Digest
    /// The profile's App Store Connect ID if this server created it; nil otherwise.
    package var accountID: String?

    /// - Returns: nil for a profile without an application identifier.
    package init?(_ profile: ProvisioningProfile, digest: SHA256Digest) {
        guard let identifier = profile.applicationIdentifier else { return nil }
        uuid = profile.uuid
        name = profile.name
        kind = profile.kind
        bundleIdentifier = String(identifier.pattern)
        created = profile.created
        expires = profile.expires
        deviceCount = profile.devices?.count
        certificates = profile.certificates.map(\.sha256)
        self.digest = digest
    }
}
