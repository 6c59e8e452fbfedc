import Access

/// Builds of all mirrors that wait or run, the oldest first.
package struct ShowQueue: Action {
    package typealias Answer = RunsDocument
    package static let route = ActionRoute(.get, "/queue", .everywhere(.admin))

    package init() {}
}

/// Builds of a mirror, the newest first.
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
    /// The number of the last build of the page before; 0 for the first page.
    package let after: Int
    package let limit: Int

    /// The newest builds; `limit` is from 1 to 200.
    package init(of mirror: String, limit: Int) {
        self.mirror = mirror
        self.after = 0
        self.limit = limit
    }
}

/// Queues a build; a running server takes it up.
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

/// One build.
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

/// Cancels a build that waits or runs; one that runs ends within seconds.
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
