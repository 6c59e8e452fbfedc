import Access
package import Releases

/// Describes a server and the token of the request.
package struct ShowServer: Action {
    package typealias Answer = ServerDocument
    package static let route = ActionRoute(.get, "", .anyToken)

    package init() {}
}

/// Shows what needs attention, and the number of items in the store.
package struct ShowStatus: Action {
    package typealias Answer = StatusDocument
    package static let route = ActionRoute(.get, "/status", .everywhere(.admin))

    package init() {}
}

/// Lists activity: the latest, newest first; after a cursor, what is newer, oldest first.
package struct ShowActivity: Action {
    package typealias Answer = ActivityDocument
    package static let route = ActionRoute(
        .get,
        "/activity",
        .everywhere(.admin),
        query: [
            .number("limit", in: 1...500, else: 50), .text("after"), .text("before"),
            .text("app"), .text("actor"), .text("kind"), .text("from"), .text("to"),
        ],
    )

    package let limit: Int
    /// The cursor of an earlier response; only newer activity is listed.
    package let after: String?
    /// The position of older activity, from an earlier response.
    package let before: String?
    /// The app, by bundle identifier or slug; nil for all activity, including that of no app.
    package let app: String?
    /// The full name of the actor; nil for any.
    package let actor: String?
    /// A value of `Activity.Event`; nil for all.
    package let kind: String?
    /// The first and last day, such as `2027-03-14`; nil for no bound.
    package let from, to: String?

    package init(
        limit: Int,
        after: String? = nil,
        before: String? = nil,
        of app: String? = nil,
        matching filter: ActivityFilter = ActivityFilter(),
    ) {
        self.limit = limit
        self.after = after
        self.before = before
        self.app = app
        actor = filter.actor
        kind = filter.kind?.rawValue
        from = filter.from?.description
        to = filter.to?.description
    }
}
