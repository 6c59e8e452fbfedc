package import APIDocuments
import Releases
import Store

extension Actions {
    static let server: [any PerformedAction.Type] = [
        ShowServer.self, ShowActivity.self,
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
            // The place first: what happens between the two is shown twice rather than never.
            let end = try store.activityEnd(at: administration.admin.clock())
            let listing = try store.activityListing(count: limit)
            return ActivityDocument(
                activity: listing.activities,
                cursor: end.description,
                unreadable: listing.failures,
            )
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
