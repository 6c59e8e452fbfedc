package import Foundation
package import Identifiers
package import Releases
package import Store

/// One of the most recently published releases, for the overview and the status.
package struct NewestRelease: Sendable {
    package let app: BundleIdentifier
    package let release: ReleaseIdentifier
    package let published: Date

    /// The number of each app's highest versions that the overview and the status consider.
    package static let usualCount = 6

    /// Returns the most recently published releases of all apps, computed again when an app or a release
    /// changes.
    ///
    /// - Parameters:
    ///   - store: the store with the releases.
    ///   - count: how many of each app's highest versions are considered, in addition to those that its
    ///     channels offer.
    /// - Returns: the releases, latest first.
    /// - Throws: ``StoreFailure`` if the store cannot be read.
    package static func all(
        in store: OTAStore,
        ofEach count: Int,
    ) throws(StoreFailure) -> [NewestRelease] {
        try store.derived("newest releases", of: ["apps"]) { () throws(StoreFailure) in
            var found: [NewestRelease] = []
            for app in try store.apps() {
                let identifier = app.bundleIdentifier
                let highest = try store.releaseIdentifiers(of: identifier).prefix(count)
                // A channel may offer a release that is not among the highest versions.
                for release in Set(highest).union(app.channels.values) {
                    guard let published = try published(release, of: identifier, in: store) else {
                        continue
                    }
                    found.append(
                        NewestRelease(app: identifier, release: release, published: published)
                    )
                }
            }
            return found.sorted { $0.published > $1.published }
        }
    }

    /// When the release was published; nil if it is damaged or does not exist.
    private static func published(
        _ release: ReleaseIdentifier,
        of app: BundleIdentifier,
        in store: OTAStore,
    ) throws(StoreFailure) -> Date? {
        do throws(StoreFailure) {
            return try store.release(release, of: app)?.published
        } catch {
            guard error.concernsOnePlace else { throw error }
            return nil
        }
    }
}
