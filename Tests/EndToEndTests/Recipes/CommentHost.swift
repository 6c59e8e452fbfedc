import Foundation
import TestSupport
import Testing

/// The parts of GitHub's or GitLab's API with which recipes write comments.
struct CommentHost: Sendable {
    /// What was written, by the number of the pull request.
    struct Written: Decodable {
        let own, people: [String: [String]]
        /// The writes, such as `create 12`.
        let writes: [String]
    }

    static let token = "the-token-that-writes-comments"

    let url: String
    private let folder: URL

    static func run(_ body: (CommentHost) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let script = RecipeRoom.runners.appending(path: "comments.py").path()
            let server = try Program(path: "/usr/bin/python3").start([script, token], in: folder)
            defer { server.send(SIGKILL) }
            let port = try #require(await server.line())
            try await body(CommentHost(url: "http://127.0.0.1:\(port)", folder: folder))
        }
    }

    func written() async throws -> Written {
        let answer = try await Program(path: "/usr/bin/curl")
            .run(["--fail", "--silent", url + "/comments"], in: folder)
        return try JSONDecoder().decode(Written.self, from: Data(answer.output.utf8))
    }
}
