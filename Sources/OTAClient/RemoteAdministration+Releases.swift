package import APIDocuments
import Administration
import Identifiers
import Publishing
import Releases

extension RemoteAdministration {
    package func releases(of app: String?, limit: Int) async throws -> ReleasesDocument {
        var names = app.map { [$0] } ?? []
        if app == nil { names = try await perform(ListApps()).apps.map(\.app) }
        var found: [ReleaseEntry] = []
        var older = 0
        for app in names {
            var after: String?
            var count = 0
            repeat {
                let most = min(limit - count, 200)
                let page = try await perform(ListReleases(of: app, limit: most, after: after))
                found += page.releases
                count += page.releases.count
                after = count < limit && !page.releases.isEmpty ? page.next : nil
                if after == nil { older += page.older }
            } while after != nil
        }
        return ReleasesDocument(releases: found, older: older)
    }
}
