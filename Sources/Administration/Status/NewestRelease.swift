package import Foundation
package import Identifiers
package import Releases
package import Store

/// One of the releases that were published last, for the overview and the status.
package struct NewestRelease: Sendable {
    package let app: BundleIdentifier
    package let release: ReleaseIdentifier
    package let published: Date

    /// How many of each app's highest versions the overview and the status look at.
    package static let usualCount = 6

    /// What was published last in all apps; made again when an app or a release changes.
    ///
    /// - Parameters:
    ///   - store: whose releases.
    ///   - count: how many of each app's highest versions are checked, beside those that its
    ///     channels offer.
    /// - Returns: the releases, the latest first.
    /// - Throws: ``StoreFailure`` where the store cannot be read.
    package static func all(
        in store: OTAStore,
        ofEach count: Int,
    ) throws(StoreFailure) -> [NewestRelease] {
        try store.derived("newest releases", of: ["apps"]) { () throws(StoreFailure) in
            var found: [NewestRelease] = []
            for app in try store.apps() {
                let identifier = app.bundleIdentifier
                let highest = try store.releaseIdentifiers(of: identifier).prefix(count)
                // A channel may offer one that is not among the highest versions.
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

    /// When it was published; nil for a release that is damaged or gone.
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
