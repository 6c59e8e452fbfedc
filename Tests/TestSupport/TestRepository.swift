package import Foundation

/// A repository in which a test commits, tags and pushes with the real `git`.
package struct TestRepository: Sendable {
    package let folder: URL
    private static let program = Program(path: "/usr/bin/git")

    /// Creates an empty repository on the branch `main`.
    package init(at folder: URL) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await git("init", "--quiet", "--template=", "--initial-branch=main")
        // ``Program`` keeps the output of its runs in files in this folder.
        try write(".run-*\n", to: ".git/info/exclude")
    }

    /// Uses an existing repository.
    package init(existing folder: URL) {
        self.folder = folder
    }

    package var path: String { folder.path(percentEncoded: false).trimmingSuffix("/") }

    /// Runs `git` and returns its output without the last line feed; throws if it fails.
    @discardableResult
    package func git(_ arguments: String...) async throws -> String {
        try await Self.git(arguments, in: folder)
    }

    @discardableResult
    package static func git(
        _ arguments: [String],
        in folder: URL,
        input: String? = nil,
    ) async throws
        -> String
    {
        let outcome = try await program.run(
            arguments,
            input: input,
            environment: identity,
            in: folder,
        )
        guard outcome.status == 0 else {
            throw Failure(arguments: arguments, said: outcome.errors)
        }
        return outcome.output.trimmingSuffix("\n")
    }

    package struct Failure: Error {
        package let arguments: [String]
        package let said: String
    }

    /// Writes files and commits them.
    ///
    /// - Returns: the commit.
    @discardableResult
    package func commit(_ message: String, _ files: [String: String] = [:]) async throws -> String {
        for (path, text) in files { try write(text, to: path) }
        try await git("add", "--all")
        try await git("commit", "--quiet", "--allow-empty", "-m", message)
        return try await git("rev-parse", "HEAD")
    }

    package func write(_ text: String, to path: String) throws {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true,
        )
        try Data(text.utf8).write(to: url)
    }

    private static let identity = [
        "GIT_AUTHOR_NAME": "Ana", "GIT_AUTHOR_EMAIL": "ana@example.com",
        "GIT_COMMITTER_NAME": "Ana", "GIT_COMMITTER_EMAIL": "ana@example.com",
        "GIT_AUTHOR_DATE": "2026-01-31T12:00:00Z", "GIT_COMMITTER_DATE": "2026-01-31T12:00:00Z",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
    ]
}

extension String {
    package func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
