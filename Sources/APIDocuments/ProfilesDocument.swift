package import Foundation
package import Bundles
import Identifiers
import Inspection
package import Releases

/// A provisioning profile in the API and in `--json`.
package struct ProfileEntry: Codable, Equatable, Sendable {
    package struct Use: Codable, Equatable, Sendable {
        package let app, release, bundle: String
    }

    package struct Certificate: Codable, Equatable, Sendable {
        package let name: String
        package let expires: Date
    }

    package let uuid, name: String
    package let type: ProfileKind
    package let team, teamName: String
    package let applicationIdentifier: String?
    package let created, expires: Date
    package let devices: Int?
    package let verified: Bool
    /// When the last of the certificates expires.
    package let certificatesExpire: Date?
    package let certificates: [Certificate]
    package let usedIn: [Use]

    package init(_ record: ProfileRecord) {
        uuid = record.uuid
        name = record.name
        type = record.type
        team = record.team
        teamName = record.teamName
        applicationIdentifier = record.applicationIdentifier
        created = record.created
        expires = record.expires
        devices = record.deviceCount
        verified = record.isVerified
        certificatesExpire = record.certificates.map(\.expires).max()
        certificates = record.certificates.map { Certificate(name: $0.name, expires: $0.expires) }
        usedIn = record.uses.map {
            Use(app: $0.app.rawValue, release: $0.release.rawValue, bundle: $0.bundle)
        }
    }
}

/// `{"schema": 1, "profile": {…}}`.
package struct RegisteredProfileDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let profile: ProfileEntry

    package init(profile: ProfileEntry) {
        self.profile = profile
    }
}

/// `{"schema": 1, "profiles": […]}`, in the order of their expiry.
package struct ProfilesDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let profiles: [ProfileEntry]
    /// For a list of expiring profiles, what expires: the profiles or their certificates, earliest first.
    package let items: [ExpiryItemDocument]?
    /// The value of `after` for the next page; nil on the last page.
    package let next: Int?

    package init(
        profiles: [ProfileEntry],
        items: [ExpiryItemDocument]? = nil,
        next: Int? = nil,
    ) {
        self.profiles = profiles
        self.items = items
        self.next = next
    }
}
