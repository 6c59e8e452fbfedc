package import APIDocuments
import Identifiers
import Releases
import Store

extension Actions {
    static let server: [any PerformedAction.Type] = [
        ShowServer.self, ShowStatus.self, ShowActivity.self,
    ]
}

extension ShowServer: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ServerDocument {
        guard let base = try administration.baseURL() else {
            throw AdministrationRefusal.noBaseURL
        }
        return ServerDocument(
            version: ProductVersion.text,
            baseURL: base.rawValue,
            holder: administration.holder,
        )
    }
}

extension ShowActivity: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> ActivityDocument {
        let store = administration.admin.store
        guard let after else {
            // The end is read first, so that an event in between appears twice rather than never.
            let end = try store.activityEnd(at: administration.admin.clock())
            let concerned = try app.map {
                try administration.admin.app(named: $0).bundleIdentifier.rawValue
            }
            let listing = try store.activityListing(
                before: before.map { text throws(BadParameter) in
                    guard let cursor = ActivityCursor(text) else {
                        throw BadParameter("before", fix: "give `older` from an earlier answer")
                    }
                    return cursor
                },
                count: limit,
                mostLines: Self.mostLines,
                matching: filter(),
                where: concerned.map { concerned in { $0 == concerned } },
            )
            return ActivityDocument(
                activity: listing.activities,
                cursor: end.description,
                older: listing.older?.description,
                unreadable: listing.failures,
            )
        }
        guard try filter().isEmpty, before == nil, app == nil else {
            throw BadParameter("after", fix: "ask for what is new without other conditions")
        }
        guard let cursor = ActivityCursor(after) else {
            throw BadParameter("after", fix: "give the cursor from an earlier answer")
        }
        let followed = try store.follow(from: cursor, count: limit)
        return ActivityDocument(
            activity: followed.found.map(\.activity),
            cursor: followed.end.description,
            unreadable: followed.failures,
        )
    }
}

extension ShowActivity {
    /// The number of lines that are read for one answer; `older` is where the next answer begins.
    private static var mostLines: Int { 100_000 }

    private func filter() throws(BadParameter) -> ActivityFilter {
        try ActivityFilter(actor: actor, kind: kind, from: from, to: to)
    }
}
