import Subprocess
import Yams

/// Runs `git` for a repository that strangers write.
package struct Git: Sendable {
    package let directory: String

    package init(directory: String) {
        self.directory = directory
    }

    func output(_ arguments: [String]) async throws -> String {
        let result = try await run(
            .name("git"),
            arguments: Arguments(arguments),
            output: .string(limit: 1 << 20),
        )
        return result.standardOutput
    }
}
