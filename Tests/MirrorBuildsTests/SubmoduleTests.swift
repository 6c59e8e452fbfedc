import Foundation
import GitRepositories
import MirrorBuilds
import Mirrors
import Releases
import TestSupport
import Testing

/// Submodules are fetched only if the mirror allows them, and only as an admin would expect.
@Suite struct SubmoduleTests {
    /// A room whose repository has `library` as a submodule, and a step that lists what is there.
    private static func room(
        in folder: URL,
        url: String = "../library.git",
        path: String = "sub/library",
    ) async throws -> MirrorRoom {
        let room = try await MirrorRoom(in: folder)
        let upstream = folder.appending(path: "library.git")
        try FileManager.default.createDirectory(at: upstream, withIntermediateDirectories: true)
        try await TestRepository.git(["init", "--quiet", "--template=", "--bare"], in: upstream)
        let library = try await TestRepository(at: folder.appending(path: "library"))
        let commit = try await library.commit(
            "Begin",
            [
                "code.txt": "code of the library\n", ".gitattributes": "*.txt filter=evil\n",
                ".githooks/post-checkout": "#!/bin/sh\ntouch \(room.canary.path())\n",
            ],
        )
        try await library.git("push", "--quiet", upstream.path(), "main")
        try await room.work.commit(
            "Begin",
            [
                ".ota/pipeline.yml": """
                steps:
                  - run: |
                      cat sub/library/code.txt 2>/dev/null || echo nothing there
                """,
                ".gitmodules": """
                [submodule "library"]
                    path = \(path)
                    url = "\(url)"
                    fetchRecurseSubmodules = true
                [core]
                    fsmonitor = touch \(room.canary.path())

                """,
            ],
        )
        try await room.work.git(
            "update-index",
            "--add",
            "--cacheinfo",
            "160000,\(commit),sub/library",
        )
        try await room.work.git("commit", "--quiet", "-m", "Add the library")
        try await room.work.git(
            "push",
            "--quiet",
            "--force",
            "origin",
            "main",
        )
        return room
    }

    private static func build(
        _ room: MirrorRoom,
        _ submodules: SubmodulePolicy?,
    ) async throws -> (run: MirrorRun, log: String) {
        try room.add { $0.submodules = submodules }
        try await room.sync()
        let run = try #require(try await room.buildByHand { $0.branch = "main" }.first)
        return (run, try room.log(of: run))
    }

    @Test func `a submodule is an empty folder, unless the mirror allows it`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await Self.room(in: folder)
            let (run, log) = try await Self.build(room, nil)
            #expect(run.state == .succeeded && log.contains("\nnothing there\n"), "\(log)")
            try room.store.changeMirrors { register in
                try register.change(try room.mirror().name) { $0.submodules = .sameHost }
            }
            let allowed = try #require(try await room.buildByHand { $0.branch = "main" }.first)
            let said = try room.log(of: allowed)
            #expect(allowed.state == .succeeded, "\(said)")
            #expect(said.contains("\ncode of the library\n"))
            #expect(said.contains("submodule sub/library: commit "))
            #expect(room.isQuiet)
        }
    }

    @Test func `a submodule inside a submodule comes too, and limits hold over all of them`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await Self.room(in: folder)
            let library = TestRepository(existing: folder.appending(path: "library"))
            let inner = folder.appending(path: "inner.git")
            try await TestRepository.git(
                ["clone", "--quiet", "--bare", library.path, inner.path()],
                in: folder,
            )
            let commit = try await library.git("rev-parse", "HEAD")
            try library.write(
                "[submodule \"inner\"]\n\tpath = deep/inner\n\turl = ./../inner.git\n",
                to: ".gitmodules",
            )
            try await library.git("add", ".gitmodules")
            try await library.git(
                "update-index",
                "--add",
                "--cacheinfo",
                "160000,\(commit),deep/inner",
            )
            try await library.git("commit", "--quiet", "-m", "Nest")
            let nested = try await library.git("rev-parse", "HEAD")
            let upstream = folder.appending(path: "library.git").path()
            try await library.git("push", "--quiet", upstream, "main")
            try room.work.write(
                "steps:\n  - run: cat sub/library/deep/inner/code.txt\n",
                to: ".ota/pipeline.yml",
            )
            try await room.work.git("add", ".ota")
            try await room.work.git(
                "update-index",
                "--add",
                "--cacheinfo",
                "160000,\(nested),sub/library",
            )
            try await room.work.git("commit", "--quiet", "-m", "Take the nested one")
            try await room.work.git("push", "--quiet", "--force", "origin", "main")
            let (run, log) = try await Self.build(room, .sameHost)
            #expect(run.state == .succeeded && log.contains("\ncode of the library\n"), "\(log)")

            // Three files in each of the library's two copies, and two and a .gitmodules outside.
            try room.store.changeMirrors { register in
                try register.change(try room.mirror().name) { $0.limits.files = 7 }
            }
            let large = try #require(try await room.buildByHand { $0.branch = "main" }.first)
            #expect(large.reason?.contains("and the limit is 7") == true, "\(large)")
        }
    }

    @Test(arguments: [
        ("ext::sh -c touch% CANARY", "contains “ ”"),
        ("ext::sh", "names a git helper program"),
        ("file:///etc", "is a folder on this machine"),
        ("FOLDERlibrary.git", "a folder on this machine"),
        ("--upload-pack=touch", "disallowed submodule url"),
        ("ssh://-oProxyCommand=touch/x", "is not a server name"),
        ("https://example.com/a\"\n\tupdate = \"!touch CANARY", "disallowed submodule update"),
        ("https://169.254.169.254/latest/meta-data", "not from the mirror's"),
        ("https://user:secret@example.com/a", "contains a user name or a password"),
        ("http://example.com/a", "neither https:// nor ssh"),
        ("../../../../../../../../../../../../etc", "leads above the mirror's"),
    ])
    func `a hostile address of a submodule is not fetched, and the build says why`(
        url: String,
        words: String,
    ) async throws {
        try await withTemporaryFolder { folder in
            let room = try await Self.room(
                in: folder,
                url: url.replacing("CANARY", with: folder.appending(path: "canary").path())
                    .replacing("FOLDER", with: folder.path()),
            )
            let reason: String
            do {
                let (run, _) = try await Self.build(room, .sameHost)
                #expect(run.state == .failed)
                #expect(run.steps.allSatisfy { $0.state == .skipped })
                reason = run.reason ?? ""
            } catch let failure as GitFailure {
                // What git itself recognises as hostile does not even get into the mirror.
                reason = failure.description
            }
            #expect(reason.contains(words), "\(reason)")
            #expect(room.isQuiet)
        }
    }

    @Test func `a submodule that .gitmodules does not list, or that is gone, fails by name`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await Self.room(in: folder, path: "elsewhere")
            let (run, _) = try await Self.build(room, .sameHost)
            #expect(run.reason == "the submodule “sub/library” is not in .gitmodules")
        }
        try await withTemporaryFolder { folder in
            let room = try await Self.room(in: folder)
            try await room.work.git(
                "update-index",
                "--cacheinfo",
                "160000,\(String(repeating: "ab", count: 20)),sub/library",
            )
            try await room.work.git("commit", "--quiet", "-m", "Point nowhere")
            try await room.work.git("push", "--quiet", "--force", "origin", "main")
            let (run, _) = try await Self.build(room, .sameHost)
            #expect(
                run.reason
                    == "commit abababababab of the submodule “sub/library” is on no branch or tag"
            )
        }
    }
}
