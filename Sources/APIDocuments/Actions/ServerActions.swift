import Access

/// What a server says of itself, and of the token.
package struct ShowServer: Action {
    package typealias Answer = ServerDocument
    package static let route = ActionRoute(.get, "", .anyToken)

    package init() {}
}

/// What happened last, newest first; behind a cursor what happened since, oldest first.
package struct ShowActivity: Action {
    package typealias Answer = ActivityDocument
    package static let route = ActionRoute(
        .get,
        "/activity",
        .everywhere(.admin),
        query: [.number("limit", in: 1...500, else: 50), .text("after")],
    )

    package let limit: Int
    /// The cursor of an earlier answer.
    package let after: String?

    package init(limit: Int, after: String? = nil) {
        self.limit = limit
        self.after = after
    }
}
