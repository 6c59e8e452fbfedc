import Bytes
package import Foundation
package import Identifiers

/// A file with a private key that the server seals.
package struct IdentityUpload: Codable, Sendable {
    /// PKCS#12 or PEM.
    package let file: Data
    /// Nil if the file has none.
    package let passphrase: String?

    package init(file: [UInt8], passphrase: String?) {
        self.file = Data(file)
        self.passphrase = passphrase
    }

    static let keys: Set<String> = ["file", "passphrase"]
}

/// A team's key for the App Store Connect API, which the server seals.
package struct APIKeyUpload: Codable, Sendable {
    /// The issuer ID that App Store Connect shows above its list of team keys.
    package let issuer: String
    /// The key ID, such as `2X9R4HXF34` in `AuthKey_2X9R4HXF34.p8`.
    package let keyID: String
    /// The contents of the `.p8` file.
    package let key: String

    package init(issuer: String, keyID: String, key: String) {
        self.issuer = issuer
        self.keyID = keyID
        self.key = key
    }

    /// Returns `2X9R4HXF34` for `AuthKey_2X9R4HXF34.p8` in any folder; nil for a name with another form.
    package static func keyID(inName path: String) -> String? {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let (first, last) = ("AuthKey_", ".p8")
        guard name.hasBytes(first: first), name.hasBytes(last: last),
            name.utf8.count > first.utf8.count + last.utf8.count
        else { return nil }
        return String(name.dropFirst(first.count).dropLast(last.count))
    }

    static let keys: Set<String> = ["issuer", "keyID", "key"]
}

/// The body of `POST /teams`.
package struct NewTeam: Codable, Sendable {
    package let identifier: TeamIdentifier
    /// Nil for the name in the certificate, or else the identifier.
    package var name: String?
    package var identity: IdentityUpload?
    /// Provisioning profiles as signed by Apple.
    package var profiles: [Data]?
    /// The key of its developer account.
    package var apiKey: APIKeyUpload?

    package init(
        _ identifier: TeamIdentifier,
        name: String?,
        identity: IdentityUpload?,
        profiles: [[UInt8]],
        apiKey: APIKeyUpload? = nil,
    ) {
        self.apiKey = apiKey
        self.identifier = identifier
        self.name = name
        self.identity = identity
        self.profiles = profiles.map { Data($0) }
    }
}

/// The body of `PATCH /teams/{team}`; nil leaves a setting unchanged.
package struct TeamChange: Codable, Sendable {
    package var name: String?
    package var identity: IdentityUpload?
    /// Provisioning profiles to add; each replaces the one for the same bundle identifier and kind.
    package var profiles: [Data]?
    /// The UUIDs of profiles to remove.
    package var removedProfiles: [String]?
    /// Replaces the existing key.
    package var apiKey: APIKeyUpload?
    /// Whether to remove the key of the developer account from the server.
    package var removeAPIKey: Bool?

    package init(
        name: String? = nil,
        identity: IdentityUpload? = nil,
        profiles: [[UInt8]] = [],
        removedProfiles: [String] = [],
        apiKey: APIKeyUpload? = nil,
        removeAPIKey: Bool = false,
    ) {
        self.apiKey = apiKey
        self.removeAPIKey = removeAPIKey ? true : nil
        self.name = name
        self.identity = identity
        self.profiles = profiles.isEmpty ? nil : profiles.map { Data($0) }
        self.removedProfiles = removedProfiles.isEmpty ? nil : removedProfiles
    }
}
