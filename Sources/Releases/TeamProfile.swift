package import Bundles
package import Cryptography
package import Essentials

/// A provisioning profile that a team signs with; its bytes are a blob.
package struct TeamProfile: Codable, Sendable, Equatable {
    package let uuid: String
    package let name: String
    package let kind: ProfileKind
    /// `com.example.app`, or with `*` at the end.
    package let bundleIdentifier: String
    package let created: Date
    package let expires: Date
    /// How many devices it lists; nil when it needs none.
    package let deviceCount: Int?
    /// The SHA-256 of each certificate that may sign with it.
    package let certificates: [SHA256Digest]
    /// Of the file.
    package let digest: SHA256Digest
    /// What the App Store Connect API calls it, if this server made it there; nil otherwise.
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
