package import Foundation
package import Bundles
package import Cryptography
import Identifiers
package import Releases

/// One team as documents show it; its private keys stay in the store.
package struct TeamEntry: Codable, Equatable, Sendable {
    package struct Identity: Codable, Equatable, Sendable {
        package let kind: SigningKind
        package let commonName: String
        /// Hexadecimal.
        package let serial: String
        package let begins, expires: Date
        /// Of the certificate, hexadecimal.
        package let sha256: String
        /// Which key the private key is sealed with, as 16 hexadecimal digits.
        package let sealedWith: String
    }

    package struct Profile: Codable, Equatable, Sendable {
        package let uuid, name: String
        package let type: ProfileKind
        /// As in `com.example.app`, or with `*` at the end.
        package let bundleIdentifier: String
        package let created, expires: Date
        /// How many it lists; nil where it needs none.
        package let devices: Int?
        /// Of the file, hexadecimal.
        package let sha256: String
    }

    /// Ten of A-Z and 0-9.
    package let identifier: String
    package let name: String
    /// nil while it has none.
    package let identity: Identity?
    /// The ones that end first come first.
    package let profiles: [Profile]
    /// The apps whose builds are signed in its name, by bundle identifier.
    package let apps: [String]
    /// Its developer account; nil while the server has no key for it.
    package let account: TeamAccountEntry?
    package let added: Date
    package let addedBy: String

    /// What it has that is kept sealed: "its private key and its API key"; nil for nothing.
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
    ///   - team: as the store has it.
    ///   - apps: whose builds are signed in its name, by bundle identifier.
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

    /// What keeps the team from signing; nil where nothing does.
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
    /// Where a new key file was made to seal private keys with; absent where there was one.
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
