import Foundation
import GitMirror
import TestSupport

/// A repository in which a test commits, tags and pushes, with the real `git`.
struct TestRepository {
    let folder: URL
    private static let program = Program(path: Git.executable ?? "/usr/bin/git")

    /// An empty repository on the branch `main`.
    init(at folder: URL) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await git("init", "--quiet", "--initial-branch=main")
    }

    var path: String { folder.path(percentEncoded: false).trimmingSuffix("/") }

    /// What `git` printed, without the last line feed; a failure ends the test.
    @discardableResult
    func git(_ arguments: String...) async throws -> String {
        try await Self.git(arguments, in: folder)
    }

    @discardableResult
    static func git(
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

    struct Failure: Error {
        let arguments: [String]
        let said: String
    }

    /// Writes files and commits them.
    ///
    /// - Returns: the commit.
    @discardableResult
    func commit(_ message: String, _ files: [String: String] = [:]) async throws -> String {
        for (path, text) in files { try write(text, to: path) }
        try await git("add", "--all")
        try await git("commit", "--quiet", "--allow-empty", "-m", message)
        return try await git("rev-parse", "HEAD")
    }

    func write(_ text: String, to path: String) throws {
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
    func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
