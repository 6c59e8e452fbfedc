import APIDocuments
import Administration
import Identifiers
import OTAClient
import Releases
import Store

extension CommandTarget {
    /// The releases of one app or of all, at most `limit` of each, newest first.
    func releases(of app: String?, limit: Int) async throws -> ReleasesDocument {
        switch self {
        case .store(let store): try Self.releases(of: app, limit: limit, in: store.admin)
        case .server(let server): try await Self.releases(of: app, limit: limit, on: server)
        }
    }

    /// Unreadable releases and apps are skipped and named.
    private static func releases(
        of app: String?,
        limit: Int,
        in admin: Administrator,
    ) throws -> ReleasesDocument {
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

    /// Fetches the releases page by page.
    private static func releases(
        of app: String?,
        limit: Int,
        on server: RemoteAdministration,
    ) async throws -> ReleasesDocument {
        var names = app.map { [$0] } ?? []
        if app == nil {
            for archived in [false, true] {
                names += try await AppsDocument.whole(archived) { try await server.perform($0) }
                    .apps.map(\.app)
            }
        }
        var found: [ReleaseEntry] = []
        var older = 0
        for app in names {
            var after: String?
            var count = 0
            repeat {
                let most = min(limit - count, 200)
                let page = try await server.perform(
                    ListReleases(of: app, limit: most, after: after)
                )
                found += page.releases
                count += page.releases.count
                after = count < limit && !page.releases.isEmpty ? page.next : nil
                if after == nil { older += page.older }
            } while after != nil
        }
        return ReleasesDocument(releases: found, older: older, unreadable: nil)
    }
}
