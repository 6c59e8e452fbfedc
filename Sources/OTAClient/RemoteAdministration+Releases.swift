package import APIDocuments
import Administration
package import Identifiers
package import Publishing
import Releases

extension RemoteAdministration {
    package func releases(of app: String?, limit: Int) async throws -> ReleasesDocument {
        var names = app.map { [$0] } ?? []
        if app == nil { names = try await apps().apps.map(\.app) }
        var found: [ReleaseEntry] = []
        var older = 0
        for app in names {
            var after: String?
            var count = 0
            repeat {
                let most = min(limit - count, 200)
                let query = [("limit", "\(most)")] + (after.map { [("after", $0)] } ?? [])
                let page: ReleasePageDocument = try await get(["apps", app, "releases"], query)
                found += page.releases
                count += page.releases.count
                after = count < limit && !page.releases.isEmpty ? page.next : nil
                if after == nil { older += page.older }
            } while after != nil
        }
        return ReleasesDocument(releases: found, older: older)
    }

    package func release(_ release: String, of app: String) async throws -> ReleaseCardDocument {
        try await get(path(release, app))
    }

    package func verdicts(of release: String?, of app: String) async throws -> RegisterDocument {
        guard let release else {
            let app = try await self.app(app).app
            guard let offered = app.offered else {
                throw AdministrationRefusal.nothingOffered(app: app.slug)
            }
            return try await get(path(offered, app.app) + ["devices"])
        }
        return try await get(path(release, app) + ["devices"])
    }

    package func withdraw(
        _ release: String,
        of app: String,
        reason: String,
    ) async throws -> ReleaseDocument {
        try await send(
            .post,
            path(release, app) + ["withdraw"],
            WithdrawalRequest(reason: reason),
        )
    }

    package func restore(_ release: String, of app: String) async throws -> ReleaseDocument {
        try await send(.post, path(release, app) + ["restore"])
    }

    package func promote(
        _ release: String,
        of app: String,
        to channel: ChannelName,
    ) async throws -> ReleaseDocument {
        try await send(
            .post,
            path(release, app) + ["promote"],
            PromotionRequest(channel: channel),
        )
    }

    package func changeNotes(
        of release: String,
        of app: String,
        to notes: String,
    ) async throws -> ReleaseDocument {
        try await send(.patch, path(release, app), NotesRequest(notes: notes))
    }

    package func provenance(
        of release: String,
        of app: String,
        digesting: Bool,
    ) async throws -> ProvenanceDocument {
        try await get(path(release, app) + ["provenance"], [("digest", "\(digesting)")])
    }

    package func prune(_ app: String, _ prune: Prune) async throws -> PruneDocument {
        try await send(
            .post,
            ["apps", app, "prune"],
            PruneRequest(keep: prune.keep, isDryRun: prune.isDryRun),
        )
    }

    private func path(_ release: String, _ app: String) -> [String] {
        ["apps", app, "releases", release]
    }
}
