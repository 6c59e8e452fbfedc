import Foundation
import Sample
import TestSupport
import Testing

/// `ota mirror add`, `sync` and `build` on a store.
@Suite(.timeLimit(.minutes(10)))
struct MirrorCommandTests {
    /// A running server syncs a new mirror at once, and so does `mirror add`.
    @Test func `a look waits for the one that goes on`() async throws {
        try await Workplace.run { place in
            let repository = try await TestRepository(at: place.folder.appending(path: "app"))
            try await repository.commit("Begin", ["README": "one"])
            _ = try await place.json("mirror", "add", "app", repository.path, "--allow-file")
            let path = place.folder.appending(path: "ota-store/mirrors/app.fetch.lock").path()
            let lock = unsafe open(path, O_RDWR | O_CLOEXEC)
            try #require(lock >= 0, "\(path)")
            try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
            let sync = try place.start("mirror", "sync", "app")
            let errors = place.folder.appending(path: "errors")
            for _ in 0..<600 {
                let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
                if said.contains("Waiting: another process is fetching app") { break }
                try await Task.sleep(for: .milliseconds(100))
            }
            close(lock)
            #expect(try await sync.status() == 0)
            let said = try String(contentsOf: errors, encoding: .utf8)
            #expect(
                said.ranges(of: "Waiting: another process is fetching app").count == 1,
                "\(said)",
            )
        }
    }

    @Test func `a sync after an interrupted build ends as its repetition does`() async throws {
        try await Workplace.run { place in
            let repository = try await TestRepository(at: place.folder.appending(path: "app"))
            let pipeline = "steps:\n  - run: test -e \(place.path("good"))\n"
            try await repository.commit("Begin", [".ota/pipeline.yml": pipeline])
            _ = try await place.json("mirror", "add", "app", repository.path, "--allow-file")
            for (isGood, status) in [(true, 0 as Int32), (false, 1)] {
                if isGood {
                    try place.write("", to: "good")
                } else {
                    try FileManager.default.removeItem(atPath: place.path("good"))
                }
                let words = ["mirror", "build", "app", "--branch", "main", "--queue-only"]
                let queued = try await place.json(words)["builds"].items.first
                let number = try #require(queued?["number"].number)
                // The state that a killed process leaves.
                let folder = place.path("ota-store/runs/app")
                let file = try FileManager.default.contentsOfDirectory(atPath: folder)
                    .first { $0.hasSuffix("\(Int(number)).json") }
                let path = "ota-store/runs/app/\(try #require(file))"
                let text = String(decoding: try place.bytes(path), as: UTF8.self)
                try place.write(
                    text.replacing("\"state\" : \"queued\"", with: "\"state\" : \"running\""),
                    to: path,
                )
                let outcome = try await place.ota("mirror", "sync", "app", "--json")
                let states = try JSON(outcome.output)["builds"].items.map(\.["state"].string)
                #expect(states == ["interrupted", isGood ? "succeeded" : "failed"])
                #expect(outcome.status == status)
            }
        }
    }

    @Test func `an address that cannot be fetched is not followed`() async throws {
        try await Workplace.run { place in
            let path = place.path("nothing.git")
            let failure = try await place.refusal("mirror", "add", "app", path, "--allow-file")
            #expect(failure["id"].string == "git.failed")
            #expect(try await place.json("mirror", "list")["mirrors"].items.isEmpty)
            _ = try await place.json("mirror", "add", "app", path, "--allow-file", "--no-sync")
            #expect(try await place.refusal("mirror", "sync", "app")["id"].string == "git.failed")
            let shown = try await place.json("mirror", "show", "app")
            #expect(shown["mirror"]["failure"]["id"].string == "git.failed", "as a server says it")
            _ = try await place.json("mirror", "remove", "app")
            let repository = try await TestRepository(at: place.folder.appending(path: "app"))
            try await repository.commit("Begin", ["README": "one"])
            _ = try await place.json("mirror", "add", "app", repository.path, "--allow-file")
        }
    }

    @Test func `a tag that moved is shown until somebody has it built`() async throws {
        try await Workplace.run { place in
            let repository = try await TestRepository(at: place.folder.appending(path: "app"))
            try await repository.commit(
                "Begin",
                [".ota/pipeline.yml": "steps:\n  - run: \"true\"\n"],
            )
            try await repository.git("tag", "v1.0.0")
            try await repository.git("tag", "v0.9.0")
            try await repository.git("tag", "nightly")
            _ = try await place.json("mirror", "add", "app", repository.path, "--allow-file")
            try await repository.commit("Go on")
            for tag in ["v1.0.0", "nightly"] {
                try await repository.git("tag", "--force", tag)
            }
            try await repository.git("tag", "--delete", "v0.9.0")
            let look = try await place.ota("mirror", "sync", "app").output
            #expect(look.contains("note: the tag v1.0.0 was moved from commit"), "\(look)")
            #expect(
                !look.contains("the tag nightly"),
                "it names no version, and moves every night",
            )
            let once = try await place.ota("mirror", "show", "app").output
            #expect(once.contains("The tag v1.0.0 has moved from"), "\(once)")
            #expect(once.contains("The tag v0.9.0 was deleted"), "\(once)")
            _ = try await place.ota("mirror", "sync", "app")
            let later = try await place.ota("mirror", "show", "app").output
            #expect(later.contains("The tag v1.0.0 has moved from"), "\(later)")

            let list = try await place.ota("mirror", "list").output
            #expect(list.contains("1 tag of app moved: `ota mirror show app`"), "\(list)")
            let moved = try await place.refusal("mirror", "build", "app", "--tag", "v1.0.0")
            #expect(moved["id"].string == "mirror.moved-tag")
            _ = try await place.json("mirror", "build", "app", "--tag", "v1.0.0", "--rebuild")
            let decided = try await place.ota("mirror", "show", "app").output
            #expect(!decided.contains("has moved"), "\(decided)")

            let hostile = try await place.ota("mirror", "build", "app", "--tag", "v7; id")
            #expect(hostile.status == 64)
            #expect(hostile.errors.contains("has “;” in its name"), "\(hostile)")
        }
    }

    @Test func `a build asked for right after a push says that the push is built already`()
        async throws
    {
        try await Workplace.run { place in
            let repository = try await TestRepository(at: place.folder.appending(path: "app"))
            let pipeline = "steps:\n  - run: \"true\"\n"
            try await repository.commit("Begin", [".ota/pipeline.yml": pipeline])
            _ = try await place.json("mirror", "add", "app", repository.path, "--allow-file")
            try await repository.commit("Go on")
            try await repository.git("tag", "v1.0.0")
            let note = "because the tag v1.0.0 was pushed: `ota mirror logs app 1`"
            let built = try await place.ota("mirror", "build", "app", "--tag", "v1.0.0")
            #expect(built.status == 0)
            #expect(built.errors.contains(note) && built.output.contains(note), "\(built)")
            let shown = try await place.json("mirror", "show", "app", "2")
            #expect(shown["builds"].items.first?["warnings"].items.count == 1)
        }
    }

    /// Compilers seldom produce the same bytes twice, and a commit has one version and build number.
    @Test func `of several builds of one commit, the one of its tag counts`() async throws {
        try await Workplace.run { place in
            try place.write(place.authority.privatePEM, to: "keys.pem")
            try place.build()
            _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            let repository = try await TestRepository(at: place.folder.appending(path: "app"))
            try await repository.commit("Begin", [".ota/pipeline.yml": Self.pipeline(place)])
            try await repository.git("tag", "v2.0.0-rc.1")
            _ = try await place.json("mirror", "add", "app", repository.path, "--allow-file")

            func built(_ words: String...) async throws -> (release: JSON, log: String) {
                _ = try await place.json(["mirror"] + words)
                let shown = try await place.json("releases", "show", "browsey", "2.0.0-1")
                return (shown["release"], try await place.ota("mirror", "logs", "app").output)
            }
            let dev = try await built("build", "app", "--branch", "main").release
            #expect(dev["tag"].string == nil && dev["channel"].string == "dev")
            let candidate = try await built("build", "app", "--tag", "v2.0.0-rc.1")
            #expect(candidate.release["tag"].string == "v2.0.0-rc.1")
            #expect(candidate.release["sha256"].string != dev["sha256"].string)
            #expect(
                candidate.log.contains(
                    "the build of tag v2.0.0-rc.1 replaces the build of "
                        + "this commit for no tag"
                )
            )

            try await repository.git("tag", "v2.0.0")
            let final = try await built("sync", "app")
            #expect(final.release["tag"].string == "v2.0.0")
            #expect(final.release["channel"].string == "stable")
            #expect(
                final.log.contains(
                    "the build of tag v2.0.0 replaces the build of this commit "
                        + "for tag v2.0.0-rc.1"
                )
            )

            for words in [["--branch", "main"], ["--tag", "v2.0.0-rc.1"], ["--tag", "v2.0.0"]] {
                let again = try await built("build", "app", words[0], words[1])
                #expect(again.release["sha256"].string == final.release["sha256"].string)
                #expect(again.release["tag"].string == "v2.0.0")
                #expect(again.log.contains("its file stays"), "\(again.log)")
            }
        }
    }

    private static func pipeline(_ place: Workplace) -> String {
        """
        steps:
          - run: |
              head -c 64 /dev/urandom > noise
              "\(place.programPath)" sample --app browsey --resource noise --output App.ipa \\
                --version "$MARKETING_VERSION" --build "$BUILD_NUMBER" \\
                --authority "\(place.path("keys.pem"))"
        artifacts: [App.ipa]
        """
    }
}
