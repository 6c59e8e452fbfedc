import Bundles
package import Foundation
import Identifiers
package import Notices
import Releases

/// One thing that ends, as `--json` and the API show it.
package struct ExpiryItemDocument: Codable, Sendable, Equatable {
    package struct Place: Codable, Sendable, Equatable {
        package let app: String
        package let release: String
        package let bundle: String
        /// The channels that offer it now.
        package let channels: [String]
    }

    package let kind: ExpiringItem.Kind
    package let identifier: String
    package let name: String
    package let team: String?
    package let expires: Date
    /// Whether its end stops something that is in use.
    package let inUse: Bool
    package let places: [Place]

    package init(_ item: ExpiringItem) {
        kind = item.kind
        identifier = item.identifier
        name = item.name
        team = item.team
        expires = item.expires
        inUse = item.isInUse
        places = item.places.map { place in
            Place(
                app: place.app.rawValue,
                release: place.release.rawValue,
                bundle: place.bundle,
                channels: place.channels.map(\.rawValue),
            )
        }
    }
}
