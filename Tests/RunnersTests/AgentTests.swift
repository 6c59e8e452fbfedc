import Foundation
import TestSupport
import Testing

/// The agent alone: `agent/test_runner.py` tests its parts, and the whole with a server that fails in every
/// way.
@Suite(.timeLimit(.minutes(10)))
struct AgentTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../agent").standardized.path(percentEncoded: false)

    @Test func `the agent passes its own tests with the oldest Python that Xcode has`()
        async throws
    {
        // Without Python 3.9, the syntax is at least checked against 3.9.
        try await Self.expectTests(with: try await Self.python39() ?? "python3")
    }

    // MARK: Parts

    private static func expectTests(with python: String) async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await Program(path: "/usr/bin/env").run(
                [python, "-B", "-m", "unittest", "discover", "-s", Self.folder],
                in: folder,
            )
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        }
    }

    /// Python 3.9, where it is installed.
    private static func python39() async throws -> String? {
        let home = FileManager.default.homeDirectoryForCurrentUser
        let versions = home.appending(path: ".pyenv/versions").path(percentEncoded: false)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []
        let places =
            ["/usr/bin/python3.9", "/usr/local/bin/python3.9"]
            + names.filter { $0.hasPrefix("3.9.") }.map { "\(versions)/\($0)/bin/python3.9" }
        return places.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
