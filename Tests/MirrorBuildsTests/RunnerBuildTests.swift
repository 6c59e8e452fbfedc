import Bytes
import Foundation
import Identifiers
import MirrorBuilds
import Mirrors
import Releases
import Runners
import Store
import Synchronization
import TestSupport
import Testing
import Zip

/// Builds whose steps run on a runner.
@Suite struct RunnerBuildTests {
    private static func file(_ path: String, _ text: String) throws -> [UInt8] {
        try ZipWriter.archive { try $0.add(path, contents: Array(text.utf8)) }
    }

    @Test func `a runner's steps are logged, recorded and delivered as the server's own`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin", [".ota/pipeline.yml": "steps: [run: \"true\"]\n"])
            try await room.push()
            try room.add { $0.branches = [] }
            try await room.sync()
            try room.store.changeSecrets(of: room.mirror().name) {
                $0.variables["TOKEN"] = "very-secret-token"
            }
            let pipeline = """
                runs-on: [mac, xcode-26]
                env: {SCHEME: App}
                steps:
                  - name: Archive
                    run: xcodebuild archive
                    working-directory: ios
                    timeout: 20m
                  - run: make notes
                    if: manual
                  - run: make report
                artifacts:
                  - path: build/*.ipa
                    ifMissing: error
                """
            try await room.work.commit("Build on a Mac", [".ota/pipeline.yml": pipeline])
            try await room.work.git("tag", "v1.2.0")
            try await room.push()
            try room.prepareBuild(version: "1.2.0", number: 2)
            let ipa = try Data(contentsOf: folder.appending(path: "builds/1.2.0-2.ipa"))
            try await room.sync()
            let runner = try StandInRunner(in: room)
            try runner.register(labels: ["mac", "xcode-26"])
            let offered = Mutex<RunnerStage?>(nil)
            async let built = room.build()
            let held = try await runner.lease()
            offered.withLock { $0 = held.stage }
            try runner.print("── Archive\nsaid very-sec", in: held)
            try await Task.sleep(for: .milliseconds(300))
            try runner.print("ret-token\n", in: held)
            let archive = try ZipWriter.archive {
                try $0.addDirectory("build")
                try $0.add("build/App.ipa", contents: Array(ipa), method: .stored)
            }
            try runner.finish(held, archive: archive)
            let run = try #require(try await built.first { $0.tag == "v1.2.0" })

            #expect(run.state == .succeeded, "\(run)")
            #expect(run.runner == runner.name && run.waitingFor == nil)
            #expect(run.steps.map(\.state) == [.succeeded, .skipped, .succeeded])
            #expect(run.steps.map(\.runner) == [runner.name, nil, runner.name])
            #expect(run.steps[0].runsOn?.map(\.rawValue) == ["mac", "xcode-26"])
            #expect(run.steps[0].seconds == 3 && run.steps[0].exitCode == 0)
            #expect(try !room.log(of: run).contains("limits: "))
            #expect(run.artifacts.map(\.outcome) == [.published])
            #expect(try room.release(on: .stable)?.version == "1.2.0")
            let log = try room.log(of: run)
            let waiting = "waiting for a runner with the labels mac and xcode-26\n"
            #expect(log.contains(waiting), "\(log)")
            #expect(log.contains("── Archive\nsaid ***\n") && !log.contains("very-secret"))
            #expect(log.contains("published build/App.ipa: Browsey 1.2.0"))
            let stage = try #require(offered.withLock { $0 })
            #expect(stage.steps.map(\.index) == [0, 2] && stage.steps[0].timeout == 1200)
            #expect(stage.steps[0].workingDirectory == "ios" && stage.usesSecrets)
            #expect(stage.environment["SCHEME"] == "App" && stage.environment["TAG"] == "v1.2.0")
            #expect(stage.environment["BUILD_NUMBER"] == "2" && stage.environment["CI"] == "true")
            for name in ["PATH", "HOME", "TMPDIR", "OTA_WORKSPACE", "TOKEN"] {
                #expect(stage.environment[name] == nil, "\(name)")
            }
            #expect(stage.artifacts == ["build/*.ipa"] && !stage.hasFiles)
            #expect(try room.leftovers == [])
        }
    }

    @Test func `what a folder holds is the same from a runner and from the server`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let steps = """
                    run: |
                      mkdir -p out/sub out/empty
                      echo a > out/a.sh
                      chmod 755 out/a.sh
                      ln -s ../a.sh out/sub/link
                  - name: Done
                    run: test -x out/a.sh && test "$(cat out/sub/link)" = a
                    runs-on: server
                artifacts: [out]
                """
            try await room.prepare("steps:\n  - name: Make\n\(steps)")
            let local = try #require(try await room.build().first)
            #expect(local.state == .succeeded, "\(local)")
            try await room.work.commit(
                "Elsewhere",
                [".ota/pipeline.yml": "steps:\n  - name: Make\n    runs-on: mac\n\(steps)"],
            )
            try await room.push()
            try await room.sync()
            let runner = try StandInRunner(in: room)
            let elsewhere = try await room.build {
                let held = try await runner.lease()
                let archive = try ZipWriter.archive { zip in
                    try zip.addDirectory("out")
                    try zip.add("out/a.sh", contents: Array("a\n".utf8), mode: 0o755)
                    try zip.addDirectory("out/empty")
                    try zip.addSymbolicLink("out/sub/link", target: "../a.sh")
                }
                try runner.finish(held, archive: archive)
            }
            #expect(elsewhere.state == .succeeded, "\(elsewhere)")
            #expect(elsewhere.steps.map(\.runner) == [runner.name, nil])
            #expect(local.artifacts.first?.blob != nil)
            #expect(local.artifacts.first?.blob == elsewhere.artifacts.first?.blob)
            #expect(elsewhere.steps.map(\.state) == [.succeeded, .succeeded])
        }
    }

    @Test func `files of the server's steps travel to the runner, and back to the next step`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepare(
                """
                steps:
                  - run: mkdir out && echo made > out/made && echo secret > other
                  - run: xcodebuild
                    runs-on: mac
                  - run: cat out/made out/more
                artifacts: [out]
                """
            )
            let runner = try StandInRunner(in: room)
            let names = Mutex<[String]>([])
            let run = try await room.build {
                let held = try await runner.lease()
                #expect(held.stage.hasFiles)
                let path = runner.folders.stageInput(held.stage.build, of: held.stage.mirror)
                let bytes = Array(try Data(contentsOf: URL(filePath: path)))
                let input = try ZipArchive(reading: MemorySource(bytes))
                names.withLock { $0 = input.entries.map(\.path.text) }
                try runner.finish(held, archive: Self.file("out/more", "more"))
            }
            #expect(names.withLock { $0 } == ["out", "out/made"])
            #expect(run.state == .succeeded, "\(run)")
            let log = try room.log(of: run)
            #expect(log.contains("made\nmore"), "\(log)")
        }
    }

    @Test func `what a runner hands in of a failed build is kept, and not published`() async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepare(
                """
                runs-on: mac
                steps: [{name: Test, run: make test}]
                artifacts: [out/*.xcresult, out/*.txt]
                """
            )
            let runner = try StandInRunner(in: room)
            let run = try await room.build {
                let archive = try ZipWriter.archive {
                    try $0.add("out/T.xcresult/Data/x", contents: Array("x".utf8))
                    try $0.add("out/a.txt", contents: Array("a".utf8))
                    try $0.add("out/b.sh", contents: Array("b".utf8))
                }
                let failed = [RunnerStage.StepReport(index: 0, state: .failed)]
                try runner.finish(
                    try await runner.lease(),
                    .failed,
                    archive: archive,
                    reports: failed,
                )
            }
            #expect(run.state == .failed && run.reason == "step “Test” failed")
            #expect(run.artifacts.map(\.path) == ["out/T.xcresult", "out/a.txt"])
            #expect(run.artifacts.allSatisfy { $0.outcome == .kept && $0.blob != nil })
            #expect(try room.leftovers == [])

            // An invalid archive loses the files, but not the reason.
            _ = try await room.ask()
            let broken = try await room.build {
                try runner.finish(
                    try await runner.lease(),
                    .failed,
                    reason: "step “Test” failed",
                    archive: Array("no ZIP".utf8),
                )
            }
            #expect(broken.reason == "step “Test” failed" && broken.artifacts.isEmpty)
            #expect(try room.log(of: broken).contains("warning: no artifact is kept: "))
        }
    }

    @Test func `an untrusted build says which runner would take it`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit(
                "Begin",
                [".ota/pipeline.yml": "runs-on: mac\nsteps: [run: make]\n"],
            )
            try await room.work.git("branch", "feature")
            try await room.push()
            try room.add()
            try await room.sync()
            let runner = try StandInRunner(in: room)
            try runner.register()
            var build = ManualBuild()
            build.branch = "feature"
            _ = try await build.queue(for: room.mirror(), in: room.place, by: "ana")
            let run = try await room.build {
                let held = try await runner.lease()
                #expect(held.stage.isUntrusted == true)
                try runner.finish(held)
            }
            let words = "runner mini takes only trusted references, and feature is untrusted: "
            #expect(try room.log(of: run).contains(words + "ota runners set mini --references "))
            _ = try await room.ask()
            let trusted = try await room.build {
                let held = try await runner.lease()
                #expect(held.stage.isUntrusted == nil)
                try runner.finish(held)
            }
            #expect(try !room.log(of: trusted).contains("takes only trusted references"))
        }
    }

    @Test func `a step that fails on the runner fails the build with its reason`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepare(
                """
                runs-on: mac
                steps:
                  - {name: Build, run: make}
                  - {name: Test, run: make test}
                  - {run: make late, runs-on: server}
                artifacts: [out]
                """
            )
            let runner = try StandInRunner(in: room)
            let run = try await room.build {
                let held = try await runner.lease()
                var failed = RunnerStage.StepReport(index: 1, state: .failed)
                failed.exitCode = 65
                failed.reason = "failed with exit status 65"
                let reports = [RunnerStage.StepReport(index: 0, state: .succeeded), failed]
                try runner.finish(held, .failed, reports: reports)
            }
            #expect(run.state == .failed)
            #expect(run.reason == "step “Test” failed with exit status 65")
            #expect(run.steps.map(\.state) == [.succeeded, .failed, .skipped])
            #expect(run.steps[1].exitCode == 65 && run.artifacts.isEmpty)
            #expect(try room.leftovers == [])

            // A runner that reports success must not contradict itself.
            _ = try await room.ask()
            let liar = try await room.build {
                let held = try await runner.lease()
                try runner.finish(
                    held,
                    reports: [RunnerStage.StepReport(index: 0, state: .failed)],
                )
            }
            #expect(liar.state == .failed && liar.reason == "step “Build” failed")

            // A runner does not know whose limit was set for it.
            _ = try await room.ask()
            let late = try await room.build {
                let reason = "step “Build” was stopped: the time limit of the build is over"
                try runner.finish(await runner.lease(), .failed, reason: reason)
            }
            let start = "step “Build” was stopped: the time limit of the whole build is "
            let end = " s, by the mirror's time limit (--time-limit)"
            #expect(late.reason?.hasPrefix(start) == true && late.reason?.hasSuffix(end) == true)
        }
    }

    @Test func `a build that waits says why as it is now, and no reason has a secret`() async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepare("runs-on: mac\nsteps: [run: make]\n")
            try room.store.changeSecrets(of: room.mirror().name) {
                $0.variables["TOKEN"] = "very-secret-token"
            }
            let runner = try StandInRunner(in: room)
            try runner.register()
            let run = try await room.build {
                let name = try room.mirror().name
                func why() throws -> String {
                    let build = try room.store.stages().first?.build ?? 0
                    let now = room.place.now
                    return try room.store.waitingReason(of: build, name, at: now) ?? ""
                }
                func pause(_ isPaused: Bool) throws {
                    try room.store.changeMirrors { register in
                        try register.change(name) { $0.isPaused = isPaused }
                    }
                }
                while try why().isEmpty { try await Task.sleep(for: .milliseconds(20)) }
                #expect(try why() == "every runner that may take it is busy")
                try pause(true)
                #expect(try why().contains("--no-paused"))
                try pause(false)
                let held = try await runner.lease()
                #expect(try why() == "")
                var report = RunnerStage.StepReport(index: 0, state: .failed)
                report.reason = "very-secret-token is wrong"
                try runner.finish(
                    held,
                    .failed,
                    reason: "no very-secret-token",
                    reports: [report],
                )
            }
            #expect(run.state == .failed)
            #expect(run.steps.first?.reason == "*** is wrong", "\(run)")
            #expect(!"\(run)".contains("very-secret"), "\(run)")
        }
    }

    @Test func `a lost lease is tried once more, and a second ends the build`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepare("runs-on: mac\nsteps: [run: make]\n")
            let (mini, studio) = (
                try StandInRunner("mini", in: room), try StandInRunner("studio", in: room),
            )
            let won = try await room.build {
                let held = try await mini.lease()
                try mini.print("half a li", in: held)
                try mini.vanish(held)
                let again = try await studio.lease()
                #expect(again.attempt == 2)
                // A runner that wakes up later can no longer report anything.
                #expect(throws: RunnerRefusal.leaseEnded) { try mini.finish(held) }
                try studio.print("all of it\n", in: again)
                try studio.finish(again)
            }
            #expect(won.state == .succeeded && won.runner == studio.name, "\(won)")
            let lossWords = "runner mini was not heard from for 60 s"
            #expect(won.warnings == ["the steps began again: " + lossWords])
            let words = lossWords + "; waiting for a runner again"
            let log = try room.log(of: won)
            #expect(
                log.contains(
                    "runner mini runs the steps\nhalf a li\n\(words)\nrunner studio runs the "
                        + "steps\nall of it\n"
                ),
                "\(log)",
            )

            _ = try await room.ask()
            let lost = try await room.build {
                try mini.vanish(await mini.lease())
                try studio.vanish(await studio.lease())
            }
            #expect(lost.state == .failed)
            #expect(
                lost.reason
                    == "runner studio was not heard from for 60 s; it was attempt 2"
            )
            #expect(try room.leftovers == [])
        }
    }

    @Test func `a build that is cancelled takes its stage from the runner at once`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let queued = try await room.prepare("runs-on: mac\nsteps: [run: make]\n")
            let runner = try StandInRunner(in: room)
            let place = room.place
            let run = try await room.build {
                let held = try await runner.lease()
                try runner.print("begun\n", in: held)
                let queue = RunQueue(of: held.stage.mirror, in: place)
                try queue.cancel(queued.number, by: "ben")
                while try runner.store.stage(of: queued.number, held.stage.mirror)?.state
                    == .leased
                {
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(throws: RunnerRefusal.leaseEnded) { try runner.finish(held) }
            }
            #expect(run.state == .cancelled && run.reason == "cancelled by ben", "\(run)")
            #expect(try room.log(of: run).contains("begun\n"))
            #expect(try room.leftovers == [])
        }
    }

    /// A line is acknowledged if the runner still holds the stage once the line is in the file.
    @Test func `a build that is cancelled loses no line that its runner knows to be there`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let queued = try await room.prepare("runs-on: mac\nsteps: [run: make]\n")
            let runner = try StandInRunner(in: room)
            let place = room.place
            let acknowledged = Mutex(0)
            let run = try await room.build {
                let held = try await runner.lease()
                let (stage, store) = (held.stage, runner.store)
                for number in 1... {
                    try runner.print("line \(number)\n", in: held)
                    let now = try store.stage(of: stage.build, stage.mirror, isCurrent: true)
                    guard now?.isHeld(by: runner.name, as: held.attempt) == true else { break }
                    acknowledged.withLock { $0 = number }
                    if number == 20 {
                        try RunQueue(of: stage.mirror, in: place).cancel(queued.number, by: "ben")
                    }
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
            #expect(run.state == .cancelled, "\(run)")
            let count = acknowledged.withLock { $0 }
            let lines = try room.log(of: run).split(separator: "\n").filter {
                $0.hasPrefix("line ")
            }
            #expect(count >= 20 && lines.count >= count, "\(lines.count) of \(count)")
            #expect(lines.prefix(count).map(String.init) == (1...count).map { "line \($0)" })
            #expect(try room.leftovers == [])
        }
    }

    @Test func `a build that waits says for whom`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepare("runs-on: [mac, xcode-27]\nsteps: [run: make]\n")
            let runner = try StandInRunner(in: room)
            try runner.register(labels: ["mac"])
            let place = room.place
            let labels = Mutex<[String]>([])
            let run = try await room.build {
                let queue = RunQueue(of: try #require(Slug("app")), in: place)
                let name = try #require(Slug("app"))
                while labels.withLock({ $0.isEmpty }) {
                    let waiting = try place.store.run(1, of: name)?.waitingFor
                    labels.withLock { $0 = waiting?.map(\.rawValue) ?? [] }
                    try await Task.sleep(for: .milliseconds(20))
                }
                try queue.cancel(1, by: "ben")
            }
            #expect(labels.withLock { $0 } == ["mac", "xcode-27"] && run.waitingFor == nil)
            #expect(
                try room.log(of: run).contains(
                    "no runner has the label xcode-27; see ota runners list"
                )
            )
        }
    }

    @Test func `a lease ends, and so does waiting, when its time is over`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let queued = try await room.prepare("runs-on: mac\nsteps: [run: make]\n")
            let runner = try StandInRunner(in: room)
            let time = Mutex(room.date)
            let place = MirrorContext(
                store: room.store,
                folders: room.place.folders,
                anchors: room.place.anchors,
                surroundings: [:],
                clock: { time.withLock { $0 } },
            )
            async let worked = MirrorWorker(for: room.mirror().name, in: place).work()
            while try room.store.run(queued.number, of: room.mirror().name)?.waitingFor == nil {
                try await Task.sleep(for: .milliseconds(20))
            }
            _ = try await runner.lease()
            time.withLock { $0 += 90 }
            while try room.store.stage(of: queued.number, room.mirror().name)?.state != .offered {
                try await Task.sleep(for: .milliseconds(20))
            }
            time.withLock { $0 += 24 * 3600 + 61 }
            _ = try await worked
            let run = try #require(try room.store.run(queued.number, of: room.mirror().name))
            #expect(run.state == .failed)
            #expect(run.reason == "no runner with mac took it within 24 hours")
        }
    }
}
