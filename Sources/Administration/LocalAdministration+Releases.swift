package import APIDocuments
import Bundles
import Cryptography
import Foundation
import Identifiers
import Inspection
import Publishing
import Releases
import Store

extension LocalAdministration {
    package func releases(of app: String?, limit: Int) throws -> ReleasesDocument {
        var listing = AppListing()
        if let app {
            listing.apps = [try admin.app(named: app)]
        } else {
            listing = try admin.store.appListing()
        }
        let apps = listing.apps
        var failures = Array(listing.failures.values)
        let entries = try apps.flatMap { app in
            let found = try admin.store.releaseListing(of: app.bundleIdentifier, count: limit)
            failures += found.failures
            return found.releases.map { ReleaseEntry($0, in: app) }
        }
        let all = try apps.reduce(0) {
            try $0 + admin.store.releaseIdentifiers(of: $1.bundleIdentifier).count
        }
        return ReleasesDocument(
            releases: entries,
            older: max(0, all - entries.count - failures.count),
            unreadable: failures,
        )
    }
}
