import Access

/// Lists the waiting and running builds of all mirrors, oldest first.
package struct ShowQueue: Action {
    package typealias Answer = RunsDocument
    package static let route = ActionRoute(.get, "/queue", .everywhere(.admin))

    package init() {}
}

/// Lists the builds of a mirror, newest first.
package struct ListBuilds: Action {
    package typealias Answer = RunsDocument
    package static let route = ActionRoute(
        .get,
        "/mirrors/{mirror}/builds",
        .everywhere(.admin),
        query: [
            .number("after", in: 0...1 << 40, else: 0), .number("limit", in: 1...200, else: 50),
        ],
    )

    package let mirror: String
    /// The number of the last build on the previous page; 0 for the first page.
    package let after: Int
    package let limit: Int

    /// Requests the newest builds; `limit` is from 1 to 200.
    package init(of mirror: String, limit: Int) {
        self.mirror = mirror
        self.after = 0
        self.limit = limit
    }
}

/// Queues a build, which a running server starts.
package struct StartBuild: Action {
    package typealias Answer = RunDocument
    package static let route = ActionRoute(
        .post,
        "/mirrors/{mirror}/builds",
        .everywhere(.admin),
        success: .created,
    )

    package let mirror: String
    package let content: BuildRequest

    package init(of mirror: String, _ build: BuildRequest) {
        self.mirror = mirror
        content = build
    }

    package static func location(of answer: RunDocument) -> String? {
        "/mirrors/\(answer.mirror)/builds/\(answer.number)"
    }
}

/// Shows one build.
package struct ShowBuild: Action {
    package typealias Answer = RunDocument
    package static let route = ActionRoute(
        .get,
        "/mirrors/{mirror}/builds/{build}",
        .everywhere(.admin),
        numbers: ["build"],
    )

    package let mirror: String
    package let build: Int

    package init(_ build: Int, of mirror: String) {
        self.mirror = mirror
        self.build = build
    }
}

/// Cancels a waiting or running build; a running one ends within seconds.
package struct CancelBuild: Action {
    package typealias Answer = RunDocument
    package static let route = ActionRoute(
        .post,
        "/mirrors/{mirror}/builds/{build}/cancel",
        .everywhere(.admin),
        numbers: ["build"],
    )

    package let mirror: String
    package let build: Int

    package init(_ build: Int, of mirror: String) {
        self.mirror = mirror
        self.build = build
    }
}

extension BuildRequest: ActionContent {
    package static var keys: Set<String> { ["tag", "branch", "commit", "rebuild"] }
}
