import Foundation
import GitRepositories
import Sandboxing
import TestSupport
import Testing

@Suite struct GitTests {
    @Test func `git answers from a repository`() async throws {
        try await withTemporaryFolder { folder in
            let repository = try await TestRepository(at: folder.appending(path: "app"))
            let commit = try await repository.commit("One", ["README.md": "Hello"])
            let git = Git(directory: repository.path)
            #expect(try await git.output(["rev-parse", "HEAD"]) == commit + "\n")
        }
    }

    @Test func `a failure is told in git's own words`() async throws {
        try await withTemporaryFolder { folder in
            let repository = try await TestRepository(at: folder.appending(path: "app"))
            let git = Git(directory: repository.path)
            await #expect {
                try await git.output(["rev-parse", "--verify", "refs/heads/absent"])
            } throws: { error in
                error as? GitFailure
                    == .failed(
                        "rev-parse",
                        status: 128,
                        said: "fatal: Needed a single revision",
                    )
            }
        }
    }

    /// Each setting names a program that writes a file, and that plain `git` runs in the same repository.
    @Test(arguments: [
        ["core.fsmonitor", "touch CANARY; false"], ["core.hooksPath", "HOOKS"],
        ["filter.lfs.smudge", "touch CANARY; cat"], ["core.sshCommand", "touch CANARY; false"],
        ["core.gitProxy", "HOOKS/post-checkout"],
    ])
    func `configuration of a repository runs no program`(setting: [String]) async throws {
        try await withTemporaryFolder { folder in
            let repository = try await TestRepository(at: folder.appending(path: "app"))
            try await repository.commit(
                "One",
                [".gitattributes": "*.txt filter=lfs\n", "a.txt": "a"],
            )
            try await repository.commit("Two", ["b.txt": "b"])
            let canary = folder.appending(path: "canary").path()
            let hooks = folder.appending(path: "hooks")
            try FileManager.default.createDirectory(at: hooks, withIntermediateDirectories: true)
            for name in ["post-checkout", "reference-transaction", "post-index-change"] {
                let hook = hooks.appending(path: name)
                try Data("#!/bin/sh\ntouch \(canary)\n".utf8).write(to: hook)
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o755],
                    ofItemAtPath: hook.path(),
                )
            }
            let value = setting[1].replacing("CANARY", with: canary)
                .replacing("HOOKS", with: hooks.path())
            try await repository.git("config", setting[0], value)
            let commands = [
                ["status", "--porcelain"], ["checkout", "--force", "--detach", "HEAD^"],
                ["checkout", "--force", "--detach", "HEAD@{1}"],
                ["update-ref", "refs/tags/v1", "HEAD"],
                ["fetch", "ssh://git@127.0.0.1:1/none"], ["fetch", "git://127.0.0.1:1/none"],
            ]

            let git = Git(directory: repository.path)
            let statuses = try await commands.asyncMap { try await git.run($0).status }
            #expect(statuses == [0, 0, 0, 0, 128, 128])
            #expect(!FileManager.default.fileExists(atPath: canary))

            for command in commands {
                _ = try? await TestRepository.git(command, in: repository.folder)
            }
            #expect(FileManager.default.fileExists(atPath: canary))
        }
    }

    @Test(arguments: [
        "ext::sh -c touch% CANARY", "file:///etc", "git://127.0.0.1/x", "http://127.0.0.1:1/x",
        "fd::17", "--upload-pack=touch CANARY",
    ])
    func `only https and ssh are spoken`(address: String) async throws {
        try await withTemporaryFolder { folder in
            let repository = try await TestRepository(at: folder.appending(path: "app"))
            let canary = folder.appending(path: "canary").path()
            let git = Git(directory: repository.path)
            let outcome = try await git.run([
                "fetch", "--end-of-options", address.replacing("CANARY", with: canary),
            ])
            #expect(outcome.status != 0)
            #expect(!FileManager.default.fileExists(atPath: canary))
        }
    }

    @Test func `git that takes too long is ended`() async throws {
        try await withTemporaryFolder { folder in
            let repository = try await TestRepository(at: folder.appending(path: "app"))
            var git = Git(directory: repository.path)
            git.limits.time = .milliseconds(200)
            // The program reads from a FIFO without a writer, which never ends.
            let fifo = folder.appending(path: "fifo").path()
            let made = unsafe mkfifo(fifo, 0o600)
            #expect(made == 0)
            await #expect(throws: GitFailure.timedOut("hash-object", .milliseconds(200))) {
                try await git.output(["hash-object", "--no-filters", fifo])
            }
        }
    }

    @Test func `output beyond the limit ends git`() async throws {
        try await withTemporaryFolder { folder in
            let repository = try await TestRepository(at: folder.appending(path: "app"))
            try await repository.commit("One", ["a.txt": String(repeating: "a", count: 4096)])
            var git = Git(directory: repository.path)
            git.limits.output = 100
            await #expect(throws: GitFailure.tooMuchOutput("show", bytes: 100)) {
                try await git.output(["show", "HEAD"])
            }
        }
    }
}

extension Array {
    fileprivate func asyncMap<Result>(
        _ transform: (Element) async throws -> Result
    ) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
