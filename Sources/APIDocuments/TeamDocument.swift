package import Foundation
package import Bundles
package import Cryptography
import Identifiers
package import Releases

/// A team in the API and in `--json`, without its private keys.
package struct TeamEntry: Codable, Equatable, Sendable {
    package struct Identity: Codable, Equatable, Sendable {
        package let kind: SigningKind
        package let commonName: String
        /// In hexadecimal.
        package let serial: String
        package let begins, expires: Date
        /// The digest of the certificate, in hexadecimal.
        package let sha256: String
        /// The identifier of the key that seals the private key, 16 hexadecimal digits.
        package let sealedWith: String
    }

    package struct Profile: Codable, Equatable, Sendable {
        package let uuid, name: String
        package let type: ProfileKind
        /// Such as `com.example.app`, possibly with `*` at the end.
        package let bundleIdentifier: String
        package let created, expires: Date
        /// The number of devices it lists; nil if it needs none.
        package let devices: Int?
        /// The digest of the file, in hexadecimal.
        package let sha256: String
    }

    /// Ten characters of A-Z and 0-9.
    package let identifier: String
    package let name: String
    /// Nil if it has none.
    package let identity: Identity?
    /// In the order of their expiry.
    package let profiles: [Profile]
    /// The bundle identifiers of the apps whose builds are signed for this team.
    package let apps: [String]
    /// Its developer account; nil if the server has no API key for it.
    package let account: TeamAccountEntry?
    package let added: Date
    package let addedBy: String

    /// Its sealed secrets, for people: "its private key and its API key"; nil if it has none.
    package var secretWords: String? {
        let hasPrivateKey = identity != nil || account?.requested != nil
        return switch (hasPrivateKey, account != nil) {
        case (true, true): "its private key and its API key"
        case (true, false): "its private key"
        case (false, true): "its API key"
        case (false, false): nil
        }
    }

    /// - Parameters:
    ///   - team: the stored team.
    ///   - apps: the bundle identifiers of the apps whose builds are signed for it.
    package init(_ team: Team, apps: [String]) {
        identifier = team.identifier.rawValue
        name = team.name
        identity = team.identity.map {
            Identity(
                kind: $0.kind,
                commonName: $0.commonName,
                serial: $0.serial,
                begins: $0.begins,
                expires: $0.expires,
                sha256: $0.sha256.description,
                sealedWith: $0.sealed.key,
            )
        }
        profiles = team.profiles.map {
            Profile(
                uuid: $0.uuid,
                name: $0.name,
                type: $0.kind,
                bundleIdentifier: $0.bundleIdentifier,
                created: $0.created,
                expires: $0.expires,
                devices: $0.deviceCount,
                sha256: $0.digest.description,
            )
        }
        self.apps = apps
        account = team.account.map(TeamAccountEntry.init)
        added = team.added
        self.addedBy = team.addedBy
    }

    /// Why the team cannot sign; nil if it can.
    package func obstacle(at date: Date) -> String? {
        guard let identity else { return "it has no identity" }
        if identity.expires <= date { return "its certificate has expired" }
        guard !profiles.isEmpty else { return "it has no profile" }
        return profiles.allSatisfy { $0.expires <= date } ? "its profiles have expired" : nil
    }
}

/// `{"schema": 1, "team": {…}}`.
package struct TeamDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let team: TeamEntry
    /// The path of a new key file that was created to seal private keys; absent if there was one already.
    package let createdKeyFile: String?

    package init(team: TeamEntry, createdKeyFile: String? = nil) {
        self.team = team
        self.createdKeyFile = createdKeyFile
    }
}

/// `{"schema": 1, "teams": […]}`, by identifier.
package struct TeamsDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let teams: [TeamEntry]

    package init(teams: [TeamEntry]) {
        self.teams = teams
    }
}
