import Foundation
import Identifiers
import MirrorBuilds
import Mirrors
import Releases
import Sample
import Store
import TestSupport
import Testing
import Versions

/// What happens to the files that builds make.
@Suite struct ArtifactDeliveryTests {
    @Test func `a candidate behind a prefix with a digit gives way, another mirror's does not`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin", [".ota/pipeline.yml": room.pipeline])
            try await room.push()
            try room.add { $0.prefix = "app2/" }
            try room.add("fork") { $0.prefix = "app2/" }
            try await room.sync()
            try await room.sync("fork")
            func build(_ tag: String, by mirror: String, noise: String) async throws -> MirrorRun? {
                try await room.work.git("tag", tag)
                try await room.push()
                let app = SampleApps.browsey(by: room.authority, at: room.date)
                    .resource(.text("noise.txt", noise))
                try room.prepareBuild(of: app, version: "1.3.0", number: 1)
                return try await room.syncAndBuild(mirror).first { $0.tag == tag }
            }
            let candidate = try await build("app2/v1.3.0-rc.1", by: "app", noise: "a")
            #expect(candidate?.state == .succeeded, "\(String(describing: candidate))")
            let stranger = try await build("app2/v1.3.0-rc.2", by: "fork", noise: "b")
            #expect(stranger?.state == .failed, "other bytes of somebody else's release")
            #expect(try room.release(on: "rc")?.tag == "app2/v1.3.0-rc.1")
            let final = try await build("app2/v1.3.0", by: "app", noise: "c")
            #expect(final?.state == .succeeded, "\(String(describing: final))")
            #expect(try room.release(on: .stable)?.tag == "app2/v1.3.0")
        }
    }

    @Test func `a folder that is too large costs no other file`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pipeline = """
                steps:
                  - run: mkdir big; for n in 1 2; do head -c 3000000 /dev/urandom > big/$n; done; echo small > small
                artifacts: [big, small]
                """
            try await room.work.commit("Begin", [".ota/pipeline.yml": pipeline])
            try await room.push()
            try room.add { $0.limits.fileBytes = 4 << 20 }
            try await room.sync()
            let kept = try #require(try await room.buildByHand { $0.branch = "main" }.first)
            #expect(kept.state == .succeeded, "\(kept)")
            #expect(kept.artifacts.map(\.path) == ["big", "small"])
            #expect(kept.artifacts.map { $0.blob != nil } == [false, true])
            #expect(kept.artifacts.first?.detail?.hasSuffix("and was not kept") == true)
        }
    }

    @Test func `a build that fails keeps the artifacts that are there, and publishes none`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pipeline = """
                steps:
                  - run: |
                      mkdir -p build/T.xcresult/Data
                      echo a > build/T.xcresult/Data/x
                      echo b > log
                      cp "\(folder.path())builds/1.2.0-1.ipa" build/App.ipa
                  - name: Test
                    run: |
                      echo "x.swift:3:1: error: said"
                      exit 65
                  - run: echo late > late
                artifacts:
                  - build/**
                  - log
                  - {path: late, ifMissing: error}
                """
            try await room.work.commit("Begin", [".ota/pipeline.yml": pipeline])
            try await room.push()
            try room.add { $0.branches = [] }
            try await room.sync()
            try room.prepareBuild(version: "1.2.0", number: 1)
            try await room.work.git("tag", "v1.2.0")
            try await room.push()
            let run = try #require(try await room.syncAndBuild().first)
            #expect(run.state == .failed && run.reason?.hasSuffix("exit status 65") == true)
            // A bundle is one artifact, and a missing artifact is no further problem of a failed build.
            #expect(run.artifacts.map(\.path) == ["build/App.ipa", "build/T.xcresult", "log"])
            #expect(run.artifacts.map(\.isFolder) == [nil, true, nil])
            #expect(run.artifacts.allSatisfy { $0.outcome == .kept && $0.blob != nil })
            #expect(run.issues?.count == 1)
            #expect(try room.store.apps().isEmpty, "nothing is published")
            let log = try room.log(of: run)
            #expect(log.contains("── artifacts of the failed build: kept, not published\n"))
            #expect(!log.contains("no file matches"))
        }
    }

    @Test func `a build whose delivery fails keeps what it kept before`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pipeline = """
                steps: [run: echo a > a]
                artifacts: [a, {path: b, ifMissing: error}]
                """
            try await room.work.commit("Begin", [".ota/pipeline.yml": pipeline])
            try await room.push()
            try room.add()
            try await room.sync()
            let run = try #require(try await room.buildByHand { $0.branch = "main" }.first)
            #expect(run.state == .failed)
            #expect(run.artifacts.map(\.outcome) == [.kept, .missing])
        }
    }

    @Test func `files whose names only look the same are two`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pipeline = #"""
                steps:
                  - run: mkdir out; echo a > out/$(printf 'e\314\201'); echo b > out/$(printf '\303\251')
                artifacts: ["out/*"]
                """#
            try await room.work.commit("Begin", [".ota/pipeline.yml": pipeline])
            try await room.push()
            try room.add()
            try await room.sync()
            let run = try #require(try await room.buildByHand { $0.branch = "main" }.first)
            let names = run.artifacts.map { Array($0.path.utf8) }
            #expect(names == [Array("out/e\u{301}".utf8), Array("out/\u{E9}".utf8)], "\(run)")
            #expect(run.artifacts.allSatisfy { $0.blob != nil })
        }
    }

    @Test func `nothing in a repository's own folder is an artifact`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pipeline = """
                steps:
                  - run: mkdir -p out/.git out/b/.Git; echo x > out/.git/x; echo y > out/b/.Git/y
                  - run: echo z > out/z
                artifacts: [".git/**", ".git", ".git/config", "out/b/.Git/y", "out/**"]
                """
            try await room.work.commit("Begin", [".ota/pipeline.yml": pipeline])
            try await room.push()
            try room.add()
            try await room.sync()
            let run = try #require(try await room.buildByHand { $0.branch = "main" }.first)
            let kept = run.artifacts.filter { $0.blob != nil }
            // The folder is one artifact, without its repository.
            #expect(kept.map(\.path) == ["out/b", "out/z"], "\(run)")
            let words = "no file matches .git/**, because files in .git are left out"
            #expect(try room.log(of: run).contains(words))
        }
    }

    @Test(arguments: [
        ("false", ["x.swift:3: said"]), ("true", []),
    ])
    func `the errors of a build are those that its steps print, and not the server's own`(
        end: String,
        issues: [String],
    ) async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            // The script is the step's title in the log and in the build's reason.
            let script = end == "true" ? end : "echo 'x.swift:3:4: error: said'; \(end)"
            let pipeline = """
                steps:
                  - run: "\(script)"
                artifacts:
                  - path: absent.txt
                    ifMissing: error
                """
            try await room.work.commit("Begin", [".ota/pipeline.yml": pipeline])
            try await room.push()
            try room.add()
            try await room.sync()
            let run = try #require(try await room.buildByHand { $0.branch = "main" }.first)
            #expect(run.state == .failed, "\(run)")
            #expect((run.issues ?? []).map(\.sentence) == issues)
            let log = try room.log(of: run)
            #expect(log.contains("error: no file matches") == (end == "true"), "\(log)")
        }
    }

    @Test(arguments: ["out/**", "out/**/*", "**/*.txt"])
    func `two stars find every file once`(pattern: String) async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pipeline = """
                steps:
                  - run: mkdir -p out/a/b; echo x > out/x.txt; echo y > out/a/b/y.txt
                artifacts: ["\(pattern)"]
                """
            try await room.work.commit("Begin", [".ota/pipeline.yml": pipeline])
            try await room.push()
            try room.add()
            try await room.sync()
            let run = try #require(try await room.buildByHand { $0.branch = "main" }.first)
            #expect(run.artifacts.map(\.path) == ["out/a/b/y.txt", "out/x.txt"])
            #expect(run.artifacts.allSatisfy { $0.isFolder != true && $0.blob != nil })
        }
    }
}
