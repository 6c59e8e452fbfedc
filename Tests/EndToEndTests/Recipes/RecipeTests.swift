import Foundation
import TestSupport
import Testing

/// The recipes of `docs/ci`, run from their own files in checkouts as each system makes them.
@Suite(.timeLimit(.minutes(10)))
struct RecipeTests {
    @Test(arguments: RecipeSystem.allCases)
    func `a pushed tag is one release, however often the job runs`(
        system: RecipeSystem
    )
        async throws
    {
        try await RecipeRoom.run { room in
            let run = try await system.run(.tag("v1.4.0"), in: room)
            try #require(run.hasPassed, "\(run.log)")
            let stored = try #require(try room.releases().first)
            #expect(stored.version == "1.4.0" && stored.tag == "v1.4.0")
            #expect(stored.channel == "stable" && stored.publisher.contains("ci"))
            #expect(try await stored.commit == room.commit(of: .tag("v1.4.0")))
            #expect(
                stored.notes == """
                    - Keep the 'torch' on; $(touch \(room.folder.path())upstream/canary)
                    - Scan two codes at once
                    """
            )
            #expect(room.isUntouched)
            #expect(run.link == "\(room.base)/apps/browsey")
            #expect(run.summary.contains("[Open the install page](<\(room.base)/apps/browsey>)"))
            #expect(run.log.contains("Published"))
            #expect(run.created == "true")
            try check(stored.origin, of: system)

            let again = try await system.run(.tag("v1.4.0"), in: room)
            #expect(again.hasPassed && again.created == "false", "\(again.log)")
            #expect(again.link == run.link)
            #expect(try room.releases().count == 1)
            #expect(!(run.log + again.log + run.summary).contains(room.token))
        }
    }

    /// Checks the origin, which comes from the system's variables, and that it has no password.
    private func check(_ origin: RecipeRoom.Stored.Origin?, of system: RecipeSystem) throws {
        let told =
            switch system {
            case .github: ("https://github.com/vforsh/browsey", "/actions/runs/4711")
            case .gitlab: ("https://gitlab.example.com/vforsh/browsey", "/-/jobs/4711")
            case .jenkins: ("https://git.example.com/vforsh/browsey.git", "/job/browsey/4711/")
            case .bitrise: ("https://git.example.com/vforsh/browsey.git", "/build/4711")
            case .fastlane: ("", "")
            }
        let (repository, run) = (origin?.repository, origin?.run)
        #expect(repository == (told.0.isEmpty ? nil : told.0))
        #expect(run.map { $0.hasSuffix(told.1) } == (told.1.isEmpty ? nil : true))
        #expect((origin?.builder == nil) == (system == .fastlane))
    }

    @Test(arguments: [RecipeSystem.github, .gitlab, .jenkins, .bitrise])
    func `a pushed branch is a dev build on its own channel`(system: RecipeSystem) async throws {
        try await RecipeRoom.run { room in
            let run = try await system.run(.branch("main"), in: room)
            try #require(run.hasPassed, "\(run.log)")
            let stored = try #require(try room.releases().first)
            #expect(stored.tag == nil && stored.channel == "dev")
            #expect(stored.notes == "- Try something")
            #expect(run.link == "\(room.base)/apps/browsey")
        }
    }

    @Test func `a build of another version than the tag's is refused beside the run`() async throws
    {
        try await RecipeRoom.run { room in
            for system in RecipeSystem.allCases {
                let run = try await system.run(.tag("v9.9.9"), in: room)
                #expect(!run.hasPassed && run.link == nil)
                #expect(try room.releases().isEmpty)
                #expect(run.log.contains("1.4.0") && run.log.contains("9.9.9"), "\(run.log)")
                #expect(run.summary.contains("is not published") && run.summary.contains("Fix: "))
                if system == .github {
                    #expect(
                        run.log.contains(/::error file=build\/App.ipa,title=[a-z.\-]+::.*9\.9\.9/)
                    )
                } else {
                    #expect(run.report.contains("<failure type=\"") && run.report.contains("9.9.9"))
                }
            }
        }
    }

    @Test func `a build that installs nowhere is refused with its findings`() async throws {
        try await RecipeRoom.run { room in
            for system in RecipeSystem.allCases {
                var room = room
                try await room.buildUnsigned()
                let run = try await system.run(.tag("v1.4.0"), in: room)
                #expect(!run.hasPassed)
                #expect(run.summary.contains("| blocks | "), "\(run.summary)")
                #expect(try room.releases().isEmpty)
                if system == .github {
                    #expect(run.log.contains("::error file=build/App.ipa,title="))
                }
            }
        }
    }

    @Test func `a shallow clone is refused with the setting that fixes it`() async throws {
        try await RecipeRoom.run { room in
            for system in RecipeSystem.allCases {
                var room = room
                room.isShallow = true
                let run = try await system.run(.tag("v1.4.0"), in: room)
                #expect(!run.hasPassed)
                for setting in ["fetch-depth: 0", "GIT_DEPTH: 0", "git fetch --unshallow --tags"] {
                    #expect(run.log.contains(setting), "\(run.log)")
                }
                if system == .github {
                    #expect(run.log.contains("::error file=.,title=version.shallow"))
                }
                #expect(try room.releases().isEmpty)
            }
        }
    }

    @Test func `a server of an unknown authority gets no token, and the log says how to trust it`()
        async throws
    {
        try await RecipeRoom.run { room in
            for system in RecipeSystem.allCases {
                var room = room
                room.trustsServer = false
                let run = try await system.run(.tag("v1.4.0"), in: room)
                #expect(!run.hasPassed && run.link == nil)
                #expect(run.log.contains("--ca-file"), "\(run.log)")
                #expect(try room.releases().isEmpty)
            }
        }
    }

    @Test func `no process is started with the token among its arguments`() async throws {
        try await RecipeRoom.run { room in
            for system in RecipeSystem.allCases {
                var room = room
                let trace = room.folder.appending(path: "trace")
                room.tracer = [
                    "strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=execve", "-s", "100000",
                    "-o", trace.path(),
                ]
                let run = try await system.run(.tag("v1.4.0"), in: room)
                #expect(run.hasPassed, "\(run.log)")
                let started = try String(contentsOf: trace, encoding: .utf8)
                #expect(started.contains("\"publish\", \""), "\(started.prefix(2000))")
                #expect(!started.contains(room.token))
            }
        }
    }

    @Test func `the action installs the program that it was told, and no other`() async throws {
        try await RecipeRoom.run { room in
            let program = try #require(Program(built: "ota"))
            let sum = try await Program(path: "/usr/bin/sha256sum")
                .run([program.path], in: room.folder).output.prefix(64)
            var room = room
            room.forgetsProgram()
            var job = try GitHubJob(in: room)
            job.inputs["ota-url"] = "file://" + program.path
            job.inputs["ota-sha256"] = String(repeating: "0", count: 64)
            let refused = try await job.run(.tag("v1.4.0"))
            #expect(!refused.hasPassed && refused.log.contains("FAILED"), "\(refused.log)")
            job.inputs["ota-sha256"] = String(sum)
            let run = try await job.run(.tag("v1.4.0"))
            #expect(run.hasPassed, "\(run.log)")
        }
    }
}

extension JobRun {
    fileprivate var created: String? { outputs["created"] ?? outputs["OTA_CREATED"] }
}
