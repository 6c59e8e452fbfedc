package import Foundation
package import Identifiers

/// A file with a private key, on its way to be sealed.
package struct IdentityUpload: Codable, Sendable {
    /// PKCS#12 or PEM.
    package let file: Data
    /// nil for a file that needs none.
    package let passphrase: String?

    package init(file: [UInt8], passphrase: String?) {
        self.file = Data(file)
        self.passphrase = passphrase
    }

    static let keys: Set<String> = ["file", "passphrase"]
}

/// `POST /teams`.
package struct NewTeam: Codable, Sendable {
    package let identifier: TeamIdentifier
    /// nil for the name in the certificate, or else the identifier.
    package var name: String?
    package var identity: IdentityUpload?
    /// Provisioning profiles as Apple signed them.
    package var profiles: [Data]?

    package init(
        _ identifier: TeamIdentifier,
        name: String?,
        identity: IdentityUpload?,
        profiles: [[UInt8]],
    ) {
        self.identifier = identifier
        self.name = name
        self.identity = identity
        self.profiles = profiles.map { Data($0) }
    }
}

/// `PATCH /teams/{team}`: what may be changed of a team; nil leaves it as it is.
package struct TeamChange: Codable, Sendable {
    package var name: String?
    package var identity: IdentityUpload?
    /// Provisioning profiles to add; each replaces the one for the same bundle identifier and kind.
    package var profiles: [Data]?
    /// The UUIDs of profiles to remove.
    package var removedProfiles: [String]?

    package init(
        name: String? = nil,
        identity: IdentityUpload? = nil,
        profiles: [[UInt8]] = [],
        removedProfiles: [String] = [],
    ) {
        self.name = name
        self.identity = identity
        self.profiles = profiles.isEmpty ? nil : profiles.map { Data($0) }
        self.removedProfiles = removedProfiles.isEmpty ? nil : removedProfiles
    }
}
