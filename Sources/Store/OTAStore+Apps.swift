package import Bundles
package import Releases

extension OTAStore {
    /// Every app, by title.
    package func apps() throws(StoreFailure) -> [AppRecord] {
        var apps: [AppRecord] = []
        for name in try names(in: .apps) {
            // A folder without `app.json` is a first publish that is not there yet.
            guard let identifier = BundleIdentifier(name), let app = try app(identifier) else {
                continue
            }
            apps.append(app)
        }
        return apps.sorted {
            ($0.title.lowercased(), $0.bundleIdentifier.rawValue)
                < ($1.title.lowercased(), $1.bundleIdentifier.rawValue)
        }
    }

    package func app(_ identifier: BundleIdentifier) throws(StoreFailure) -> AppRecord? {
        try value(AppRecord.self, .app(identifier))
    }

    /// The app with a slug, or the one that had it before: links that people keep go on working.
    package func app(slug: Slug) throws(StoreFailure) -> AppRecord? {
        if let app = try apps().first(where: { $0.slug == slug }) { return app }
        return try formerApp(slug: slug)
    }

    /// Changes an app's title, slug, access or channels.
    @discardableResult
    package func changeApp(
        _ identifier: BundleIdentifier,
        _ change: (inout AppRecord) throws -> Void,
    ) throws -> AppRecord {
        try self.change(.app(identifier), else: nil, change).value
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
