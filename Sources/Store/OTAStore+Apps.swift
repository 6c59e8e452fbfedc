import Bundles
package import Identifiers
package import Releases

/// The apps of a store, as far as they can be read.
package struct AppListing: Sendable {
    /// By title.
    package var apps: [AppRecord] = []
    /// Why the others cannot be read; by bundle identifier.
    package fileprivate(set) var failures: [BundleIdentifier: StoreFailure] = [:]

    package init() {}
}

extension OTAStore {
    /// Every app that can be read, by title; the others are in ``appListing()``.
    package func apps() throws(StoreFailure) -> [AppRecord] {
        try appListing().apps
    }

    /// Every app, and why some cannot be read: one damaged record keeps no other app from view.
    package func appListing() throws(StoreFailure) -> AppListing {
        try derived("apps", of: [DocumentName.apps.path], isKept: \.failures.isEmpty) {
            () throws(StoreFailure) in try readApps()
        }
    }

    /// The bundle identifiers of apps, and of those that are not there yet; none of them is read.
    package func appNames() throws(StoreFailure) -> [String] { try names(in: .apps) }

    private func readApps() throws(StoreFailure) -> AppListing {
        var listing = AppListing()
        for name in try names(in: .apps) {
            // A folder without `app.json` is an app that is not there yet.
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

    /// - Parameters:
    ///   - identifier: of the app.
    ///   - isCurrent: whether the record is checked even if it was a moment ago.
    /// - Returns: the record; nil for an app that was neither published nor added.
    /// - Throws: ``StoreFailure/lost(_:)`` for an app that was there: its releases are, and its name.
    package func app(
        _ identifier: BundleIdentifier,
        isCurrent: Bool = false,
    ) throws(StoreFailure) -> AppRecord? {
        let name = try DocumentName.app(identifier)
        if let app = try value(AppRecord.self, name, isCurrent: isCurrent) { return app }
        guard try !releaseIdentifiers(of: identifier).isEmpty,
            try value(SlugRegister.self, .slugs)?.slug(of: identifier) != nil,
            // Made between the two looks.
            try backend.read(name) == nil
        else { return nil }
        throw .lost(name)
    }

    /// The app with a slug, or the one that had it before: links that people have kept still work.
    package func app(slug: Slug) throws(StoreFailure) -> AppRecord? {
        do throws(StoreFailure) {
            if let app = try formerApp(slug: slug), app.slug == slug { return app }
        } catch {
            // Without the register of slugs, the apps' own records name theirs.
            guard error.concernsOnePlace else { throw error }
        }
        if let app = try apps().first(where: { $0.slug == slug }) { return app }
        return try formerApp(slug: slug)
    }

    /// Adds an app that has no release yet, and what the activity says of it, in one step.
    ///
    /// - Returns: false if there is one with the identifier already; nothing has changed then.
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

    /// Changes an app's title, slug, access or channels; `recording` as in
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
