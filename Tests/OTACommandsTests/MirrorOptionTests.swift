import Foundation
import Mirrors
import Sample
import Sandboxing
import TestSupport
import Testing

/// The effect of each option of `ota mirror` on a sync or a build, from the outside.
@Suite(.timeLimit(.minutes(10)))
struct MirrorOptionTests {
    /// A repository with a pipeline that has these lines under `run`, and a mirror of it.
    private struct MirrorRig {
        let place: Workplace
        let work: TestRepository

        static func run(
            _ script: String,
            with options: [String] = [],
            files: [String: String] = [:],
            _ body: (MirrorRig) async throws -> Void,
        ) async throws {
            try await Workplace.run { place in
                let work = try await TestRepository(at: place.folder.appending(path: "app"))
                let pipeline = [".ota/pipeline.yml": MirrorRig.pipeline(script)]
                try await work.commit("Begin", pipeline.merging(files) { $1 })
                let followed = MirrorRig(place: place, work: work)
                _ = try await place.json(
                    ["mirror", "add", "app", work.path, "--allow-file"] + options
                )
                try await body(followed)
            }
        }

        static func pipeline(_ script: String) -> String {
            let lines = script.split(separator: "\n").map { "      \($0)\n" }.joined()
            return "steps:\n  - run: |\n\(lines)"
        }

        /// Builds main, or what the options name, and returns the state and the log.
        func built(
            _ words: String...,
            branch: String? = "main",
        ) async throws -> (state: String, reason: String, log: String) {
            let what = branch.map { ["--branch", $0] } ?? []
            let outcome = try await place.ota(
                ["mirror", "build", "app", "--json"] + what + words
            )
            let build = try JSON(outcome.output)["builds"].items.first
            return (
                build?["state"].string ?? "\(outcome)", build?["reason"].string ?? "",
                try await place.ota("mirror", "logs", "app").output,
            )
        }

        func set(_ words: String..., input: String? = nil) async throws {
            _ = try await place.json(["mirror", "set", "app"] + words, input: input)
        }

        /// Syncs, and returns what is queued.
        func queued() async throws -> [String] {
            let found = try await place.json("mirror", "sync", "app", "--queue-only")
            return found["builds"].items.compactMap { $0["subject"].string }.sorted()
        }
    }

    @Test func `--tag, --branch and --prefix say what is built`() async throws {
        let options = ["--tag", "app/v2*", "--branch", "release/*", "--prefix", "app/"]
        try await MirrorRig.run("echo $VERSION", with: options) { followed in
            for (subject, reference) in [
                ("One", "app/v1.0.0"), ("Two", "app/v2.0.0"), ("Three", "v2.0.0"),
            ] {
                try await followed.work.commit(subject)
                try await followed.work.git("tag", reference)
            }
            try await followed.work.commit("Four")
            try await followed.work.git("branch", "release/2")
            #expect(try await followed.queued() == ["app/v2.0.0", "release/2"])
            let built = try await followed.built("--tag", "app/v2.0.0", branch: nil)
            #expect(built.log.contains("\n2.0.0\n"), "\(built)")
            try await followed.set("--branch", "main", "--tag", "*", "--prefix", "")
            try await followed.work.commit("Five")
            try await followed.work.git("tag", "v3.0.0")
            try await followed.work.commit("Six")
            try await followed.work.git("branch", "release/3")
            #expect(try await followed.queued() == ["main", "v3.0.0"])
        }
    }

    @Test func `a --prefix that no --tag can match is said when it is set and at each sync`()
        async throws
    {
        try await MirrorRig.run("true", with: ["--tag", "v*", "--prefix", "zz/"]) { followed in
            let place = followed.place
            let words = "no tag can be built"
            let shown = try await place.json("mirror", "show", "app")
            #expect(shown["mirror"]["remarks"].items.first?.string?.contains(words) == true)
            #expect(try await place.ota("mirror", "sync", "app").output.contains(words))
            let set = try await place.ota("mirror", "set", "app", "--prefix", "v").output
            #expect(!set.contains(words), "\(set)")
            let back = try await place.ota("mirror", "set", "app", "--prefix", "zz/").output
            #expect(back.contains(words), "\(back)")
        }
    }

    @Test func `--pipeline-path and --pipeline say which steps are run`() async throws {
        let files = ["ci/build.yml": MirrorRig.pipeline("echo from ci")]
        try await MirrorRig.run(
            "echo usual",
            with: ["--pipeline-path", "ci/build.yml"],
            files: files,
        ) { followed in
            #expect(try await followed.built().log.contains("\nfrom ci\n"))
            try followed.place.write(MirrorRig.pipeline("echo the admin"), to: "own.yml")
            try await followed.set("--pipeline", "own.yml")
            #expect(try await followed.built().log.contains("\nthe admin\n"))
            try followed.place.write("", to: "empty.yml")
            try await followed.set(
                "--pipeline",
                "empty.yml",
                "--pipeline-path",
                ".ota/pipeline.yml",
            )
            #expect(try await followed.built().log.contains("\nusual\n"))
        }
    }

    @Test func `--commit builds a commit of before, and --no-sync what is known`() async throws {
        try await MirrorRig.run("echo at $COMMIT") { followed in
            let first = try await followed.work.git("rev-parse", "HEAD")
            let second = try await followed.work.commit("Second")
            #expect(try await followed.built("--no-sync").log.contains("\nat \(first)\n"))
            #expect(try await followed.built("--sync").log.contains("\nat \(second)\n"))
            let old = try await followed.built("--commit", first, branch: nil)
            #expect(old.log.contains("\nat \(first)\n"), "\(old)")
        }
    }

    @Test func `--address and --allow-file lead to another repository, written as a URL too`()
        async throws
    {
        try await MirrorRig.run("echo old") { followed in
            let place = followed.place
            let other = try await TestRepository(at: place.folder.appending(path: "other"))
            try await other.commit("Begin", [".ota/pipeline.yml": MirrorRig.pipeline("echo new")])
            let refused = try await place.refusal("mirror", "set", "app", "--address", other.path)
            #expect(refused["id"].string == "mirror.bad-address")
            try await followed.set("--address", "file://\(other.path)", "--allow-file")
            #expect(try await followed.built().log.contains("\nnew\n"))
            let shown = try await place.json("mirror", "show", "app")
            #expect(shown["mirror"]["address"].string == other.path)
        }
    }

    @Test func `a repository that is not fetched at once is fetched by --sync`() async throws {
        try await MirrorRig.run("true") { followed in
            let place = followed.place
            func synced(_ name: String, _ option: String) async throws -> String? {
                let path = followed.work.path
                let added = try await place.ota(
                    "mirror",
                    "add",
                    name,
                    path,
                    "--allow-file",
                    option,
                    "--json",
                )
                return try JSON(added.output)["mirror"]["synced"].string
            }
            let later = try await synced("later", "--no-sync")
            let now = try await synced("now", "--sync")
            #expect(later == nil && now != nil)
        }
    }

    @Test func `--trusted and --secrets say which builds are given the secrets`() async throws {
        let options = ["--trusted", "tags/v*"]
        try await MirrorRig.run("echo key=${API_KEY:-none}", with: options) { followed in
            try await followed.set("--secrets", "-", input: "API_KEY=correct-horse\n")
            try await followed.work.git("tag", "v1.0.0")
            let branch = try await followed.built()
            #expect(branch.log.contains("\nkey=none\n"), "\(branch)")
            let tag = try await followed.built("--tag", "v1.0.0", branch: nil)
            #expect(tag.log.contains("\nkey=***\n"), "\(tag)")
            try await followed.set("--trusted", "heads/main")
            #expect(try await followed.built().log.contains("\nkey=***\n"))
        }
    }

    @Test func `--app says which apps builds may publish`() async throws {
        try await MirrorRig.run("true", with: ["--app", "com.example.*"]) { followed in
            let place = followed.place
            try place.write(place.authority.privatePEM, to: "keys.pem")
            try place.build()
            _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            let script = """
                "\(place.programPath)" sample --app browsey --output App.ipa \
                --version 9.0.0 --build 9 --authority "\(place.path("keys.pem"))"
                """
            let pipeline = MirrorRig.pipeline(script) + "artifacts: [App.ipa]\n"
            try await followed.work.commit("Make", [".ota/pipeline.yml": pipeline])
            let refused = try await followed.built()
            #expect(refused.state == "failed" && refused.reason.contains("may publish only"))
            try await followed.set("--app", "com.vforsh.browsey")
            #expect(try await followed.built().state == "succeeded")
        }
    }

    @Test func `each limit ends a build that goes beyond it`() async throws {
        let script = """
            case "$(cat what)" in
            time) sleep 300 ;;
            size) head -c 3000000 /dev/zero > big ;;
            disk) for i in 1 2 3; do head -c 1500000 /dev/zero > $i; done; sleep 300 ;;
            memory) python3 -c 'x = bytearray(400 << 20)' ;;
            esac
            """
        try await MirrorRig.run(script, files: ["what": "none"]) { followed in
            #expect(try await followed.built().state == "succeeded")
            for (what, option, value, reason) in [
                ("time", "--time-limit", "1s", "is 1 s, by the mirror's time limit"),
                ("size", "--size-limit", "1", "a file of more than 1 MB"),
                ("disk", "--disk-limit", "2", "used more than 2 MB of disk space"),
                ("memory", "--memory-limit", "100", "failed with exit status 1"),
            ] {
                try await followed.work.commit(what, ["what": what])
                try await followed.set(
                    "--time-limit",
                    "1h",
                    "--size-limit",
                    "4096",
                    "--disk-limit",
                    "20480",
                )
                if what == "memory" { #expect(try await followed.built().state == "succeeded") }
                try await followed.set(option, value)
                let built = try await followed.built()
                #expect(built.state == "failed" && built.reason.contains(reason), "\(built)")
            }
        }
    }

    @Test func `--symbolic-links and --submodules say what a checkout has`() async throws {
        let script = "test -L link && echo a link || echo a file\nls library"
        try await MirrorRig.run(script, with: ["--symbolic-links"]) { followed in
            let place = followed.place
            let library = try await TestRepository(at: place.folder.appending(path: "library"))
            let commit = try await library.commit("Begin", ["code.txt": "code"])
            let modules = "[submodule \"library\"]\n\tpath = library\n\turl = ../library\n"
            try followed.work.write(modules, to: ".gitmodules")
            try FileManager.default.createSymbolicLink(
                atPath: followed.work.path + "/link",
                withDestinationPath: "README",
            )
            try await followed.work.git("add", ".")
            try await followed.work.git(
                "update-index",
                "--add",
                "--cacheinfo",
                "160000,\(commit),library",
            )
            try await followed.work.git("commit", "--quiet", "-m", "More")
            let first = try await followed.built().log
            #expect(first.contains("\na link\n") && !first.contains("code.txt"), "\(first)")
            try await followed.set("--no-symbolic-links", "--submodules", "same-host")
            let second = try await followed.built().log
            #expect(second.contains("\na file\n") && second.contains("\ncode.txt\n"), "\(second)")
            try await followed.set("--submodules", "none")
            #expect(try await followed.built().log.contains("code.txt") == false)
        }
    }

    @Test func `--paused stops everything, and --no-paused goes on with what was pushed`()
        async throws
    {
        try await MirrorRig.run("echo done") { followed in
            let place = followed.place
            try await followed.set("--paused")
            try await followed.work.git("tag", "v1.0.0")
            for command in ["sync", "build"] {
                let refused = try await place.refusal("mirror", command, "app")
                #expect(refused["id"].string == "mirror.paused")
                let message = refused["message"].string ?? ""
                #expect(message.contains("it does not sync or build, and ignores pushes"))
            }
            try await followed.set("--no-paused")
            #expect(try await followed.queued() == ["v1.0.0"])
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/bwrap")))
    func `--isolation, --network and --read-folder say what a build sees`() async throws {
        let python =
            "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(64); "
            + "print(s.getsockname()[1], flush=True); import time; time.sleep(600)"
        try await Workplace.run { outer in
            let listener = try Program(path: "/usr/bin/python3").start(
                ["-c", python],
                in: outer.folder,
                errors: outer.folder.appending(path: "listener"),
            )
            defer { listener.send(SIGKILL) }
            let port = try #require(await listener.line())
            try outer.write("tool\n", to: "tool.txt")
            let folder = outer.path("")
            let script = """
                cat \(folder)/tool.txt 2>/dev/null || echo no tool
                (exec 3<>/dev/tcp/127.0.0.1/\(port)) 2>/dev/null && echo network || echo no network
                """
            try await MirrorRig.run(script) { followed in
                let open = try await followed.built().log
                #expect(open.contains("\ntool\n") && open.contains("\nnetwork\n"), "\(open)")
                try await followed.set("--isolation", "bwrap", "--no-network")
                let closed = try await followed.built().log
                #expect(closed.contains("\nno tool\n") && closed.contains("\nno network\n"))
                try await followed.set("--network", "--read-folder", folder)
                let shown = try await followed.built().log
                #expect(shown.contains("\ntool\n") && shown.contains("\nnetwork\n"), "\(shown)")
                try await followed.set("--read-folder", "none")
                #expect(try await followed.built().log.contains("\nno tool\n"))
                let refused = try await followed.place.ota(
                    "mirror",
                    "set",
                    "app",
                    "--read-folder",
                    "/proc",
                )
                #expect(refused.status == 64 && refused.errors.contains("absolute paths"))
            }
        }
    }

    /// Runs only as root, who alone may start programs as another user.
    @Test(
        .enabled(
            if: SystemUser.isRoot && SystemUser(named: "nobody") != nil
                && FileManager.default.isExecutableFile(atPath: "/usr/bin/bwrap")
        )
    )
    func `--user runs a build as another user, who has its folders and not the store`()
        async throws
    {
        let script = """
            id -un
            ls "$OTA_WORKSPACE" > "$HOME/list" && cp "$HOME/list" "$TMPDIR/x" && echo "own folders"
            cat STORE/store.json STORE/keys/* 2>/dev/null && exit 1 || echo "no store"
            """
        try await MirrorRig.run("true") { followed in
            let text = script.replacing("STORE", with: followed.place.path("ota-store"))
            try await followed.work.commit("Say", [".ota/pipeline.yml": MirrorRig.pipeline(text)])
            try await followed.set("--user", "nobody")
            for isolation in ["none", "bwrap"] {
                try await followed.set("--isolation", isolation)
                let built = try await followed.built()
                for line in ["nobody", "own folders", "no store"] {
                    #expect(built.log.contains("\n\(line)\n"), "\(isolation): \(built)")
                }
                #expect(built.state == "succeeded")
            }
            try await followed.set("--user", "")
            #expect(try await followed.built().log.contains("\nnobody\n") == false)
        }
    }
}
