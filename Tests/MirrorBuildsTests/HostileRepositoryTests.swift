import Foundation
import GitRepositories
import MirrorBuilds
import Mirrors
import Releases
import TestSupport
import Testing
import Versions

/// What an attacker may do who can push, or who owns the remote.
@Suite struct HostileRepositoryTests {
    /// Names that git itself allows through plumbing commands, and that end up in commands, variables and
    /// logs.
    private static func hostileNames(_ canary: String) -> [String] {
        var random = SeededGenerator(seed: 49)
        let parts = [
            "--upload-pack=touch", "-oProxyCommand=touch", "$(touch\(canary))", "`touch\(canary)`",
            "$IFS", ";touch", "|touch", "&&touch", "'", "\"", "v1.0.0", "v9.9.9-beta", "%0a", "{",
            "}",
            "<b>", "ü", "\u{202E}", "=", ",", "!", "#", "--", "--output=\(canary.dropFirst())",
            "$HOME",
            "@", "refs/heads/x", "HEAD",
        ]
        var names: Set<String> = []
        while names.count < 1000 {
            let count = Int(random.next() % 4) + 1
            let name = (0..<count)
                .map { _ in parts[Int(random.next() % UInt64(parts.count))] }
                .joined(separator: random.next() % 3 == 0 ? "/" : "")
            names.insert(name)
        }
        return names.sorted()
    }

    @Test func `a thousand hostile tags run no command and lose no build`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pipeline = """
                steps:
                  - run: echo "$TAG" "$NOTES" "$BRANCH" > /dev/null
                """
            let commit = try await room.work.commit("$(touch x)", [".ota/pipeline.yml": pipeline])
            try await room.push()
            try room.add { $0.branches = [ReferencePattern("*")].compactMap(\.self) }
            try await room.sync()

            // Plumbing commands allow what porcelain refuses; what even they refuse is left out one by one.
            let canary = room.canary.path()
            var updates = ""
            for name in Self.hostileNames(canary) {
                updates += "create refs/tags/\(name) \(commit)\n"
            }
            try await Self.update(updates, in: room)
            try await room.work.commit("Go on")
            try await room.work.git("tag", "v2.0.0")
            try await room.work.git("push", "--quiet", "origin", "main", "refs/tags/v2.0.0")

            let report = try await room.sync()
            #expect(report.tags > 400, "\(report.tags)")
            #expect(room.isQuiet)
            let wanted = report.queued.filter { $0.tag == "v2.0.0" }
            #expect(wanted.count == 1)
            for run in report.queued {
                let tag = try #require(run.tag)
                #expect((try? TagName(tag)) != nil)
            }
            let runs = try await room.build()
            #expect(runs.count == report.queued.count)
            #expect(runs.allSatisfy { $0.state == .succeeded })
            #expect(room.isQuiet)
            #expect(try await room.sync().queued.isEmpty)
        }
    }

    @Test func `hostile branches that are built run no command of their names`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pipeline = """
                steps:
                  - run: echo "$TAG" "$NOTES" "$BRANCH" > /dev/null
                """
            try await room.work.commit("Begin", [".ota/pipeline.yml": pipeline])
            try await room.push()
            try room.add { $0.branches = [ReferencePattern("*")].compactMap(\.self) }
            try await room.sync()
            let commit = try await room.work.commit("$(touch x)")
            try await room.push()
            let names = Self.hostileNames(room.canary.path()).enumerated()
                .filter { $0.offset.isMultiple(of: 50) }.map { "h\($0.element)" }
            try await Self.update(
                names.map { "create refs/heads/\($0) \(commit)" }.joined(separator: "\n"),
                in: room,
            )
            let report = try await room.sync()
            #expect(report.queued.count > 5, "\(report.queued.count)")
            let runs = try await room.build()
            #expect(runs.count == report.queued.count)
            #expect(runs.allSatisfy { $0.state == .succeeded })
            #expect(room.isQuiet)
        }
    }

    @Test func `a tag does not wait behind branches when the queue is full`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin")
            try await room.push()
            try room.add { $0.branches = [ReferencePattern("*")].compactMap(\.self) }
            try await room.sync()
            let commit = try await room.work.commit("Aside")
            try await room.push()
            let branches = (1...150).map { "create refs/heads/b\($0) \(commit)" }
            try await Self.update(branches.joined(separator: "\n"), in: room)
            try await room.work.commit("Go on")
            try await room.work.git("tag", "v2.0.0")
            try await room.work.git("push", "--quiet", "origin", "refs/tags/v2.0.0")
            let report = try await room.sync()
            #expect(report.branches > 150 && report.queued.count < 150)
            #expect(report.queued.first?.tag == "v2.0.0")
        }
    }

    /// Creates the references that git accepts: most in one call, and those that a call refuses one by one.
    private static func update(_ updates: String, in room: MirrorRoom) async throws {
        for line in updates.split(separator: "\n") {
            let name = line.split(separator: " ")[1]
            let path = room.upstream.appending(path: String(name)).path()
            let commit = line.split(separator: " ")[2]
            guard isReference(name) else { continue }
            try? FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true,
            )
            // The owner of the remote could write the file directly, whatever git thinks of the name.
            try? Data("\(commit)\n".utf8).write(to: URL(filePath: path))
        }
    }

    /// Whether a name can be transferred at all.
    private static func isReference(_ name: Substring) -> Bool {
        !name.contains("..") && !name.contains("//") && !name.contains("@{") && !name.hasSuffix("/")
            && !name.hasSuffix(".lock")
            && !name.unicodeScalars.contains { " ~^:?*[\\".unicodeScalars.contains($0) }
    }

    @Test func `hooks, filters, links and submodules of a repository do nothing`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let canary = room.canary.path()
            try await room.work.commit(
                "Begin",
                [
                    ".ota/pipeline.yml": """
                    steps:
                      - run: |
                          test ! -L link
                          test "$(cat link)" = /etc/passwd
                          test "$(cat pointer.bin | head -1)" = "version https://git-lfs.github.com/spec/v1"
                          test ! -e sub/file
                          test "$(git config --get remote.origin.url || echo none)" = none
                    """,
                    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs\n*.txt filter=evil\n",
                    "a.txt": "a",
                    "pointer.bin":
                        "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
                    ".lfsconfig": "[lfs]\n\turl = https://attacker.example.com/\n",
                    ".gitmodules":
                        "[submodule \"sub\"]\n\tpath = sub\n\turl = https://127.0.0.1:1/sub\n",
                    ".githooks/post-checkout": "#!/bin/sh\ntouch \(canary)\n",
                ],
            )
            try FileManager.default.createSymbolicLink(
                atPath: room.work.path + "/link",
                withDestinationPath: "/etc/passwd",
            )
            try await room.work.commit("Link")
            try await room.push()
            try room.add()
            try await room.sync()
            let runs = try await room.buildByHand { $0.branch = "main" }
            let logs = try runs.map { try room.log(of: $0) }
            #expect(runs.map(\.state) == [.succeeded], "\(logs)")
            #expect(room.isQuiet)
        }
    }

    @Test func `an artifact is taken from the checkout only, and through no link`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try room.work.write("secret", to: "../secret.txt")
            let outside = folder.appending(path: "secret.txt").path()
            try await room.work.commit(
                "Begin",
                [
                    ".ota/pipeline.yml": """
                    steps:
                      - run: |
                          mkdir out && ln -s \(outside) out/a.txt && ln -s \(folder.path()) out/b
                          ln \(outside) out/hard.txt 2>/dev/null || true
                          echo c > out/c.txt
                    artifacts:
                      - out/*.txt
                      - out/b/*.txt
                      - "**/secret.txt"
                    """
                ],
            )
            try await room.push()
            try room.add()
            try await room.sync()
            let run = try #require(try await room.buildByHand { $0.branch = "main" }.first)
            #expect(run.state == .succeeded, "\(run)")
            let kept = run.artifacts.filter { $0.outcome == .kept }.map(\.path)
            #expect(kept.contains("out/c.txt") && !kept.contains("out/a.txt"))
            #expect(!kept.contains { $0.hasPrefix("out/b") || $0.hasSuffix("secret.txt") })
        }
    }

    @Test func `a repository beyond the limits fails alone`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            var files = [".ota/pipeline.yml": "steps:\n  - run: \"true\"\n"]
            for index in 0..<50 { files["many/\(index).txt"] = "x" }
            try await room.work.commit("Many", files)
            try await room.push()
            try room.add { $0.limits.files = 40 }
            try await room.sync()
            let run = try #require(try await room.buildByHand { $0.branch = "main" }.first)
            #expect(run.state == .failed)
            #expect(run.reason == "the commit has 51 files, and the limit is 40")

            var random = SeededGenerator(seed: 10)
            let noise = (0..<300_000).map { _ in String(random.next() % 10) }.joined()
            try await room.work.commit("Large", ["large": noise])
            try await room.push()
            try room.store.changeMirrors { register in
                try register.change(try room.mirror().name) { $0.limits.fileBytes = 64 << 10 }
            }
            await #expect(throws: GitFailure.self) { try await room.sync() }
            let problem = try #require(try room.store.mirrorState(try room.mirror().name).problem)
            #expect(problem.contains("the repository is larger than 65"), "\(problem)")
            // What was there before is unchanged.
            try room.store.changeMirrors { register in
                try register.change(try room.mirror().name) { $0.limits = MirrorLimits() }
            }
            #expect(try await room.sync().queued.count == 1)
        }
    }

    @Test func `a pipeline that is wrong fails with its place, and the next build goes on`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin", [".ota/pipeline.yml": "steps:\n  - rum: make\n"])
            try await room.push()
            try room.add()
            try await room.sync()
            let wrong = try #require(try await room.buildByHand { $0.branch = "main" }.first)
            #expect(wrong.state == .failed)
            #expect(wrong.reason?.contains("line 2, column 5: “rum” is not a known key") == true)
            try await room.work.commit(
                "Fix",
                [".ota/pipeline.yml": "steps:\n  - run: \"true\"\n"],
            )
            try await room.push()
            #expect(try await room.syncAndBuild().map(\.state) == [.succeeded])
        }
    }
}
