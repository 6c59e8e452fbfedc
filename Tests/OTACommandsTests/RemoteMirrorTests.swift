import Foundation
import TestSupport
import Testing

/// `ota mirror … --server` against `ota serve` over TLS, with a real repository.
@Suite(.timeLimit(.minutes(10)))
struct RemoteMirrorTests {
    private static let pipeline = """
        steps:
          - name: make
            run: |
              echo "made $VERSION with $API_KEY"
              mkdir -p out && printf 'whole' > out/notes.txt
        artifacts: [out/notes.txt]
        """

    /// A repository next to the store, which mirrors it.
    private static func repository(in place: Workplace) async throws -> TestRepository {
        let upstream = place.folder.appending(path: "upstream.git")
        try FileManager.default.createDirectory(at: upstream, withIntermediateDirectories: true)
        try await TestRepository.git(["init", "--quiet", "--template=", "--bare"], in: upstream)
        let work = try await TestRepository(at: place.folder.appending(path: "work"))
        try await work.git("remote", "add", "origin", upstream.path())
        try await work.commit("Begin", [".ota/pipeline.yml": pipeline])
        try await work.git("push", "--quiet", "origin", "main")
        let address = upstream.path().trimmingSuffix("/")
        _ = try await place.json("mirror", "add", "demo", address, "--allow-file", "--no-sync")
        return work
    }

    @Test func `a repository is followed, built and left from another machine`() async throws {
        try await Workplace.run { place in
            try await place.serving { server in
                let work = try await Self.repository(in: place)
                func act(
                    _ words: String...,
                    status: Int32 = 0,
                    input: String? = nil,
                ) async throws -> JSON {
                    try await place.json(
                        ["mirror"] + words + server.options,
                        status: status,
                        input: input,
                    )
                }
                let first = try await act("sync", "demo")
                #expect(first["first"].boolean == true && first["builds"].items.isEmpty)

                let secret = "correct-horse-battery"
                let set = try await act(
                    "set",
                    "demo",
                    "--interval",
                    "1h",
                    "--secrets",
                    "-",
                    input: "API_KEY=\(secret)\n",
                )
                #expect(set["mirror"]["interval"].number == 3600)
                #expect(set["mirror"]["variables"].items.compactMap(\.string) == ["API_KEY"])
                let token = try await place.ota(
                    ["mirror", "set", "demo", "--credential-file", "-"] + server.options,
                    input: "glpat-\(secret)\n",
                )
                #expect(token.output.contains("It fetches with a token.\n"), "\(token)")

                try await work.commit("More")
                try await work.git("tag", "v1.2.0")
                try await work.git("push", "--quiet", "origin", "main", "v1.2.0")
                let synced = try await act("sync", "demo")
                #expect(synced["changes"].items.count == 2)
                let built = try #require(synced["builds"].items.first)
                #expect(built["state"].string == "succeeded" && built["tag"].string == "v1.2.0")
                let log = try await place.ota(["mirror", "logs", "demo", "1"] + server.options)
                #expect(log.output.contains("made 1.2.0 with ") && !log.output.contains(secret))
                let own = try await place.ota("mirror", "logs", "demo", "1")
                #expect(log.output == own.output && log.status == 0)

                let saved = try await act(
                    "artifact",
                    "demo",
                    "1",
                    "out/notes.txt",
                    "--output",
                    "n",
                )
                #expect(saved["size"].number == 5)
                #expect(try place.bytes("n") == Array("whole".utf8))
                let missing = try await place.ota(
                    ["mirror", "artifact", "demo", "1", "x", "--output", "x", "--json"]
                        + server.options
                )
                #expect(missing.status == 1 && !place.isThere("x"))
                #expect(try JSON(missing.errors)["error"]["id"].string == "mirror.no-artifact")

                let byHand = try await place.ota(
                    ["mirror", "build", "demo", "--branch", "main", "--tag", "v1.3.0"]
                        + server.options
                )
                #expect(byHand.status == 0 && byHand.errors.contains("made 1.3.0"))
                let queued = try await act("build", "demo", "--tag", "v1.2.0", "--queue-only")
                #expect(queued["builds"].items.first?["number"].number == 3)
                let followed = try await place.ota(
                    ["mirror", "logs", "demo", "3", "--follow"] + server.options
                )
                #expect(followed.output.hasSuffix("succeeded\n"))
                #expect(try await act("queue")["builds"].items.isEmpty)

                for words in [["list"], ["show", "demo"], ["show", "demo", "2"], ["queue"]] {
                    let there = try await place.json(["mirror"] + words + server.options)
                    #expect(try await place.json(["mirror"] + words) == there, "\(words)")
                    let text = try await place.ota(["mirror"] + words + server.options)
                    #expect(try await place.ota(["mirror"] + words).output == text.output)
                    #expect(!text.output.contains(secret))
                }

                let paused = try await act("set", "demo", "--paused")
                #expect(paused["mirror"]["isPaused"].boolean == true)
                for command in ["sync", "build"] {
                    let words = ["mirror", command, "demo", "--json"] + server.options
                    let outcome = try await place.ota(words)
                    #expect(outcome.status == 1)
                    #expect(try JSON(outcome.errors)["error"]["id"].string == "mirror.paused")
                }
                #expect(try await act("remove", "demo")["removed"].string == "demo")
                #expect(try await act("list")["mirrors"].items.isEmpty)
            }
        }
    }

    @Test func `a build that runs on a server is cancelled, and one that fails exits with 1`()
        async throws
    {
        try await Workplace.run { place in
            try await place.serving { server in
                let work = try await Self.repository(in: place)
                let options = ["--json"] + server.options
                _ = try await place.json(["mirror", "sync", "demo"] + server.options)
                try await work.commit(
                    "Slow",
                    [
                        ".ota/pipeline.yml":
                            "steps:\n  - name: wait\n    run: echo here; sleep 600\n"
                    ],
                )
                try await work.git("push", "--quiet", "origin", "main")
                let queued = try await place.json(
                    ["mirror", "sync", "demo", "--queue-only"] + server.options
                )
                #expect(queued["builds"].items.first?["number"].number == 1)
                let early = try await place.ota(
                    ["mirror", "cancel", "demo", "1"] + options
                )
                #expect(early.status == 0)
                let log = try await place.ota(
                    ["mirror", "logs", "demo", "1", "--follow"] + server.options
                )
                #expect(log.status == 0)
                let ended = try await place.json(["mirror", "show", "demo", "1"] + server.options)
                #expect(ended["builds"].items.first?["state"].string == "cancelled")
                #expect(
                    ended["builds"].items.first?["reason"].string == "cancelled by remote"
                )

                let pipeline = "steps:\n  - name: no\n    run: echo sorry; exit 3\n"
                try await work.commit("Broken", [".ota/pipeline.yml": pipeline])
                try await work.git("push", "--quiet", "origin", "main")
                let failed = try await place.ota(["mirror", "sync", "demo"] + server.options)
                #expect(failed.status == 1 && failed.errors.contains("sorry"))
                #expect(failed.output.contains("exit status 3"))
            }
        }
    }

    @Test func `a server is told no folder of its own, and no secret stands in an argument`()
        async throws
    {
        try await Workplace.run { place in
            try await place.serving { server in
                func refusal(_ words: String..., input: String? = nil) async throws -> String? {
                    let outcome = try await place.ota(
                        ["mirror"] + words + ["--json"] + server.options,
                        input: input,
                    )
                    #expect(outcome.status == 1, "\(outcome)")
                    return try JSON(outcome.errors)["error"]["id"].string
                }
                let add = ["add", "demo", "/srv/x.git", "--allow-file"]
                let outcome = try await place.ota(["mirror"] + add + server.options)
                #expect(outcome.status == 64)
                #expect(outcome.errors.hasPrefix("error: --allow-file is for a store on this"))
                #expect(outcome.errors.contains("see `ota mirror add --help`"))
                let none = "--no-sync"
                #expect(try await refusal("add", "demo", "/srv/x.git") == "mirror.bad-address")
                let folder = try await place.ota(
                    ["mirror", "add", "demo", "/srv/x.git"] + server.options
                )
                #expect(folder.errors.contains("give https://host/team/app.git"), "\(folder)")
                #expect(folder.errors.contains("without --server"), "\(folder)")
                let local = "https://127.0.0.1/x.git"
                #expect(try await refusal("add", "demo", local) == "mirror.inside-address")
                _ = try await place.json(
                    ["mirror", "add", "demo", local, "--allow-private", none] + server.options
                )
                #expect(
                    try await refusal("set", "demo", "--secrets", "-", input: "A=1\n")
                        == "mirror.bad-secrets"
                )
                #expect(
                    try await refusal("set", "demo", "--hook-secret-file", "-", input: "short\n")
                        == "mirror.weak-hook-secret"
                )
                let long = try await place.ota(
                    ["mirror", "set", "demo", "--interval", "3s"] + server.options
                )
                #expect(long.status == 64)
                #expect(try await refusal("build", "demo", "--no-sync") == "mirror.not-synced")
                #expect(try await refusal("sync", "demo") == "git.failed")
            }
        }
    }
}
