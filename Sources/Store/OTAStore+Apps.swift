import Bundles
package import Identifiers
package import Releases

/// The readable apps of a store.
package struct AppListing: Sendable {
    /// Sorted by title.
    package var apps: [AppRecord] = []
    /// Why the other apps cannot be read, by bundle identifier.
    package fileprivate(set) var failures: [BundleIdentifier: StoreFailure] = [:]

    package init() {}
}

extension OTAStore {
    /// All readable apps, sorted by title; ``appListing()`` also reports the others.
    package func apps() throws(StoreFailure) -> [AppRecord] {
        try appListing().apps
    }

    /// All apps, and why some cannot be read: one damaged record does not hide the other apps.
    package func appListing() throws(StoreFailure) -> AppListing {
        try derived("apps", of: [DocumentName.apps.path], isKept: \.failures.isEmpty) {
            () throws(StoreFailure) in try readApps()
        }
    }

    /// The names of the folders of apps, which are bundle identifiers, without reading the apps; some apps
    /// may not exist yet.
    package func appNames() throws(StoreFailure) -> [String] { try names(in: .apps) }

    private func readApps() throws(StoreFailure) -> AppListing {
        var listing = AppListing()
        for name in try names(in: .apps) {
            // A folder without `app.json` is an app that does not exist yet.
            guard let identifier = BundleIdentifier(name) else { continue }
            do throws(StoreFailure) {
                if let app = try app(identifier) { listing.apps.append(app) }
            } catch {
                guard error.concernsOnePlace else { throw error }
                listing.failures[identifier] = error
            }
        }
        listing.apps = listing.apps
            .map { (title: $0.title.lowercased(), app: $0) }
            .sorted {
                ($0.title, $0.app.bundleIdentifier.rawValue)
                    < ($1.title, $1.app.bundleIdentifier.rawValue)
            }
            .map(\.app)
        return listing
    }

    /// Returns the record of an app.
    ///
    /// - Parameters:
    ///   - identifier: the app's bundle identifier.
    ///   - isCurrent: whether to check the record even if it was checked a moment ago.
    /// - Returns: the record; nil for an app that was neither published nor added.
    /// - Throws: ``StoreFailure/lost(_:)`` for an app that has releases and a slug but no record.
    package func app(
        _ identifier: BundleIdentifier,
        isCurrent: Bool = false,
    ) throws(StoreFailure) -> AppRecord? {
        let name = try DocumentName.app(identifier)
        if let app = try value(AppRecord.self, name, isCurrent: isCurrent) { return app }
        guard try !releaseIdentifiers(of: identifier).isEmpty,
            try value(SlugRegister.self, .slugs)?.slug(of: identifier) != nil,
            // The record was created between the two reads.
            try backend.read(name) == nil
        else { return nil }
        throw .lost(name)
    }

    /// The app with this slug, or the one that had it before, so that old links still work.
    package func app(slug: Slug) throws(StoreFailure) -> AppRecord? {
        do throws(StoreFailure) {
            if let app = try formerApp(slug: slug), app.slug == slug { return app }
        } catch {
            // If the register of slugs is damaged, use the slugs in the apps' own records.
            guard error.concernsOnePlace else { throw error }
        }
        if let app = try apps().first(where: { $0.slug == slug }) { return app }
        return try formerApp(slug: slug)
    }

    /// Adds an app without releases, and records the activity, in one step.
    ///
    /// - Returns: false if there is already an app with this identifier; then nothing has changed.
    /// - Throws: ``StoreFailure``.
    package func add(_ app: AppRecord, recording activity: Activity) throws -> Bool {
        do {
            return try change(.app(app.bundleIdentifier), else: app) { there in
                guard there == app else { throw AppIsThere() }
            } recording: {
                [activity]
            }.isChanged
        } catch is AppIsThere {
            return false
        }
    }

    private struct AppIsThere: Error {}

    /// Changes an app's title, slug, access or channels; `recording` is as in
    /// ``change(_:else:_:recording:)``.
    @discardableResult
    package func changeApp(
        _ identifier: BundleIdentifier,
        _ change: (inout AppRecord) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> AppRecord {
        try self.change(.app(identifier), else: nil, change, recording: recording).value
    }
}

extension DocumentName {
    static let apps = DocumentName(known: "apps")

    static func app(_ identifier: BundleIdentifier) throws(StoreFailure) -> DocumentName {
        try DocumentName("apps", identifier.rawValue, "app.json")
    }

    static func releases(of app: BundleIdentifier) throws(StoreFailure) -> DocumentName {
        try DocumentName("apps", app.rawValue, "releases")
    }

    static func release(
        _ release: ReleaseIdentifier,
        of app: BundleIdentifier,
    ) throws(StoreFailure) -> DocumentName {
        try releases(of: app).appending(release.rawValue + ".json")
    }
}
