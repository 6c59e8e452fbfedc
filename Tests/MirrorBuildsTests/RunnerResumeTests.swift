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

/// Builds whose server ends while a runner runs their steps, or after that.
@Suite struct RunnerResumeTests {
    /// Works as a server does until `isEnough`, and is then stopped.
    private static func work(
        _ room: MirrorRoom,
        until isEnough: @escaping @Sendable (MirrorRun?) throws -> Bool,
    ) async throws {
        var place = room.place
        place.leavesStages = true
        let server = place
        let name = try room.mirror().name
        let task = Task { try await MirrorWorker(for: name, in: server).work() }
        while try !isEnough(room.store.run(1, of: name)) {
            try await Task.sleep(for: .milliseconds(20))
        }
        task.cancel()
        _ = try await task.value
    }

    private static func ipa(in room: MirrorRoom, number: Int = 1) throws -> [UInt8] {
        try room.prepareBuild(version: "0.0.0", number: number)
        let path = room.folder.appending(path: "builds/0.0.0-\(number).ipa")
        let bytes = Array(try Data(contentsOf: path))
        return try ZipWriter.archive {
            try $0.add("build/App.ipa", contents: bytes, method: .stored)
        }
    }

    private static let pipeline = """
        runs-on: mac
        steps: [{name: Archive, run: xcodebuild}]
        artifacts: [build/*.ipa]
        """

    @Test func `a build that waits or runs elsewhere goes on when the server is there again`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepare(Self.pipeline)
            let name = try room.mirror().name
            let runner = try StandInRunner(in: room)
            // Stopped while the build waits.
            try await Self.work(room) { $0?.waitingFor != nil }
            #expect(try room.store.run(1, of: name)?.state == .running)
            #expect(try room.store.stage(of: 1, name)?.state == .offered)
            // Stopped while a runner works.
            let held = try await runner.lease()
            try runner.print("one\n", in: held)
            try await Self.work(room) { $0?.runner != nil }
            #expect(try room.store.stage(of: 1, name)?.state == .leased)
            // The runner continues while no server runs.
            try runner.print("two\n", in: held)
            let archive = try Self.ipa(in: room)
            let run = try await room.build { try runner.finish(held, archive: archive) }
            #expect(run.number == 1 && run.state == .succeeded, "\(run)")
            #expect(run.artifacts.map(\.outcome) == [.published])
            #expect(run.warnings == ["the server restarted while the build ran"])
            let log = try room.log(of: run)
            #expect(log.contains("runner mini runs the steps\none\ntwo\n"), "\(log)")
            #expect(log.components(separatedBy: "one\n").count == 2)
            #expect(log.components(separatedBy: "build 1 of app").count == 2)
            #expect(try room.leftovers == [])
            #expect(try room.store.runs(of: name, count: 10).count == 1)
        }
    }

    @Test func `what a runner finished while no server was there is delivered by the next`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepare(Self.pipeline) { $0.tags = [] }
            let runner = try StandInRunner(in: room)
            try await Self.work(room) { $0?.waitingFor != nil }
            let held = try await runner.lease()
            try runner.print("done\n", in: held)
            try runner.finish(held, archive: Self.ipa(in: room))
            // A tag with another version changes nothing: the build is what was recorded.
            try await room.work.git("tag", "v3.0.0")
            try await room.push()
            try await room.sync()
            let run = try #require(try await room.build().first)
            #expect(run.number == 1 && run.state == .succeeded, "\(run)")
            #expect(run.version == "dev" && run.marketingVersion == "0.0.0")
            #expect(run.artifacts.map(\.outcome) == [.published])
            #expect(run.steps.map(\.state) == [.succeeded])
            #expect(try room.log(of: run).contains("done\n"))
        }
    }

    @Test func `a build whose server is killed while it publishes publishes once`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepare(Self.pipeline)
            let name = try room.mirror().name
            let runner = try StandInRunner(in: room)
            let left = Mutex<(MirrorRun?, RunnerStage?)>((nil, nil))
            let archive = try Self.ipa(in: room)
            let (store, folders) = (room.store, room.place.folders)
            async let worked = MirrorWorker(for: name, in: room.place) { bytes in
                guard String(decoding: bytes, as: UTF8.self).hasPrefix("published ") else { return }
                let run = try? store.run(1, of: name)
                let stage = try? store.stage(of: 1, name)
                left.withLock { $0 = (run, stage) }
            }.work()
            try runner.finish(await runner.lease(), archive: archive)
            _ = try await worked
            let (run, stage) = left.withLock { $0 }
            // The state that a process leaves if it is killed after the release was written.
            let (before, finished) = (try #require(run), try #require(stage))
            try store.changeRun(1, of: name) { $0 = before }
            try store.offer(finished)
            let path = folders.stageArchive(1, attempt: 1, of: name)
            try Data(archive).write(to: URL(filePath: path))
            let again = try #require(try await room.build().first)
            #expect(again.number == 1 && again.state == .succeeded, "\(again)")
            #expect(again.resumptions == 1)
            #expect(again.artifacts.map(\.outcome) == [.published])
            let app = try #require(try store.apps().first?.bundleIdentifier)
            #expect(try store.releaseIdentifiers(of: app).count == 1)
            #expect(try room.leftovers == [])

            // A build that ends every server which resumes it is not resumed for ever.
            try store.changeRun(1, of: name) {
                $0 = before
                $0.resumptions = 3
            }
            try store.offer(finished)
            let ended = try await room.build {
                try runner.finish(await runner.lease(), archive: archive)
            }
            #expect(try store.run(1, of: name)?.state == .interrupted)
            #expect(ended.number == 2 && ended.repeats == 1 && ended.state == .succeeded)
            #expect(try store.releaseIdentifiers(of: app).count == 1)
        }
    }

    @Test
    func `steps of the server before the runner's are not repeated while their checkout is there`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let count = folder.appending(path: "count").path()
            try await room.prepare(
                """
                steps:
                  - run: echo x >> \(count); mkdir out; echo made > out/made
                  - run: xcodebuild
                    runs-on: mac
                  - run: cat out/made
                artifacts: [out]
                """
            )
            let name = try room.mirror().name
            let runner = try StandInRunner(in: room)
            try await Self.work(room) { $0?.waitingFor != nil }
            let run = try await room.build { try runner.finish(await runner.lease()) }
            #expect(run.number == 1 && run.state == .succeeded, "\(run)")
            #expect(try String(contentsOfFile: count, encoding: .utf8) == "x\n")

            // Without it, the build cannot be continued.
            let other = try await room.ask()
            try await Self.work(room) { _ in
                try room.store.run(other.number, of: name)?.waitingFor != nil
            }
            let work = folder.appending(path: "store/mirrors/app.work/\(other.number)")
            try FileManager.default.removeItem(at: work)
            let repeated = try await room.build {
                var held = try await runner.lease()
                // The stage of the abandoned build may still have been offered.
                while held.stage.build == other.number { held = try await runner.lease() }
                try runner.finish(held)
            }
            #expect(try room.store.run(other.number, of: name)?.state == .interrupted)
            #expect(repeated.repeats == other.number && repeated.state == .succeeded)
            #expect(try String(contentsOfFile: count, encoding: .utf8) == "x\nx\nx\n")
            #expect(try room.leftovers == [])
        }
    }

    @Test func `what a runner has sent is in the log of a build that cannot continue`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepare(
                """
                steps:
                  - run: echo made
                  - run: xcodebuild
                    runs-on: mac
                """
            )
            let name = try room.mirror().name
            let runner = try StandInRunner(in: room)
            try await Self.work(room) { $0?.waitingFor != nil }
            let held = try await runner.lease()
            try runner.print("one\ntw", in: held)
            try await Self.work(room) { $0?.runner != nil }
            // While no server runs, more output arrives, and the checkout is deleted.
            try runner.print("o\nthr", in: held)
            let work = folder.appending(path: "store/mirrors/app.work/1")
            try FileManager.default.removeItem(at: work)
            _ = try await room.build { try runner.finish(await runner.lease()) }
            let run = try #require(try room.store.run(1, of: name))
            #expect(run.state == .interrupted && run.waitingFor == nil, "\(run)")
            let log = try room.log(of: run)
            let end = "one\ntwo\nthr\ninterrupted: the process that ran it ended\n"
            #expect(log.hasSuffix(end) && log.contains("\nmade\n"), "\(log)")
            #expect(log.components(separatedBy: "one\n").count == 2)
            #expect(try room.leftovers == [])
        }
    }

    @Test func `a log beside its blob is removed`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepare(Self.pipeline)
            let runner = try StandInRunner(in: room)
            let archive = try Self.ipa(in: room)
            _ = try await room.build { try runner.finish(await runner.lease(), archive: archive) }
            // The state that a process leaves if it is killed after it recorded the end.
            let path = room.place.folders.log(1, of: try room.mirror().name)
            try Data("one".utf8).write(to: URL(filePath: path))
            _ = try await room.ask()
            _ = try await room.build { try runner.finish(await runner.lease(), archive: archive) }
            #expect(try room.leftovers == [])
        }
    }

    @Test func `a command that is stopped ends its build and takes the stage from the runner`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepare(Self.pipeline)
            let name = try room.mirror().name
            let runner = try StandInRunner(in: room)
            let place = room.place
            let task = Task { try await MirrorWorker(for: name, in: place).work() }
            let held = try await runner.lease()
            task.cancel()
            _ = try await task.value
            #expect(throws: RunnerRefusal.leaseEnded) { try runner.finish(held) }
            #expect(try room.store.run(1, of: name)?.state == .interrupted)
            let left = try room.leftovers
            #expect(left == [])
        }
    }

    @Test func `a pipeline that is another by now is not gone on with`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepare(Self.pipeline)
            let name = try room.mirror().name
            try await Self.work(room) { $0?.waitingFor != nil }
            try room.store.changeMirrors {
                try $0.change(name) { $0.pipeline = "steps: [run: \"true\"]\n" }
            }
            let run = try #require(try await room.build().last)
            #expect(run.number == 2 && run.state == .succeeded && run.repeats == 1, "\(run)")
            #expect(try room.store.run(1, of: name)?.state == .interrupted)
            #expect(try room.leftovers == [])
        }
    }
}
