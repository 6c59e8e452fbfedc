package import Foundation
package import Releases

/// A profile, certificate, token or invitation that expires, in `--json` and the API.
package struct ExpiryItemDocument: Codable, Sendable, Equatable {
    package struct Place: Codable, Sendable, Equatable {
        package let app: String
        package let release: String
        package let bundle: String
        /// The channels that currently offer it.
        package let channels: [String]

        package init(app: String, release: String, bundle: String, channels: [String]) {
            self.app = app
            self.release = release
            self.bundle = bundle
            self.channels = channels
        }
    }

    package let kind: ExpiringKind
    package let identifier: String
    package let name: String
    package let team: String?
    package let expires: Date
    /// Whether something in use stops working when it expires.
    package let inUse: Bool
    package let places: [Place]

    package init(
        kind: ExpiringKind,
        identifier: String,
        name: String,
        team: String?,
        expires: Date,
        inUse: Bool,
        places: [Place],
    ) {
        self.kind = kind
        self.identifier = identifier
        self.name = name
        self.team = team
        self.expires = expires
        self.inUse = inUse
        self.places = places
    }
}
