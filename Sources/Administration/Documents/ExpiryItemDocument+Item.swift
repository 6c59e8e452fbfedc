package import APIDocuments
import Bundles
import Identifiers
package import Notices
import Releases

extension ExpiryItemDocument {
    package init(_ item: ExpiringItem) {
        self.init(
            kind: item.kind,
            identifier: item.identifier,
            name: item.name,
            team: item.team,
            expires: item.expires,
            inUse: item.isInUse,
            places: item.places.map { place in
                Place(
                    app: place.app.rawValue,
                    release: place.release.rawValue,
                    bundle: place.bundle,
                    channels: place.channels.map(\.rawValue),
                )
            },
        )
    }
}
