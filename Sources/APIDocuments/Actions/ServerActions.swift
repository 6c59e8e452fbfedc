import Access
package import Releases

/// What a server says of itself, and of the token.
package struct ShowServer: Action {
    package typealias Answer = ServerDocument
    package static let route = ActionRoute(.get, "", .anyToken)

    package init() {}
}

/// What needs attention, and what there is.
package struct ShowStatus: Action {
    package typealias Answer = StatusDocument
    package static let route = ActionRoute(.get, "/status", .everywhere(.admin))

    package init() {}
}

/// What happened last, newest first; behind a cursor what happened since, oldest first.
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
    /// The cursor of an earlier answer.
    package let after: String?
    /// Where older activity begins, from an earlier answer.
    package let before: String?
    /// The app that it happened to, by bundle identifier or slug; nil for all, and for what is about none.
    package let app: String?
    /// The whole name of who did it; nil for anyone.
    package let actor: String?
    /// One of `Activity.Event`; nil for all.
    package let kind: String?
    /// The first and the last day, as in `2027-03-14`; nil for no bound.
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
