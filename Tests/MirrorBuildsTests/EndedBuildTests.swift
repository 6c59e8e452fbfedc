import Foundation
import MirrorBuilds
import Mirrors
import TestSupport
import Testing

/// Builds that end because someone cancels them, or because the server ends.
@Suite(.serialized) struct EndedBuildTests {
    /// Prepares a mirror whose builds of `main` have one step.
    private static func prepare(
        _ step: String,
        in room: MirrorRoom,
    ) async throws -> (Mirror, ManualBuild) {
        try await room.work.commit("Begin", [".ota/pipeline.yml": "steps:\n  - run: \(step)\n"])
        try await room.push()
        let mirror = try room.add()
        try await room.sync()
        var build = ManualBuild()
        build.branch = "main"
        return (mirror, build)
    }

    private static func wait(for file: String) async throws {
        while !FileManager.default.fileExists(atPath: file) {
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func `a build is cancelled while it runs, and one that waits at once`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let started = folder.appending(path: "started").path()
            let (mirror, build) = try await Self.prepare("touch \(started); sleep 300", in: room)
            let first = try await build.queue(for: mirror, in: room.place, by: "ana")
            let second = try await build.queue(for: mirror, in: room.place, by: "ana")
            let queue = RunQueue(of: mirror.name, in: room.place)
            #expect(try queue.cancel(second.number, by: "ben").state == .cancelled)

            async let worked = MirrorWorker(for: mirror.name, in: room.place).work()
            try await Self.wait(for: started)
            // Only one process builds for a mirror; others return at once.
            #expect(try await MirrorWorker(for: mirror.name, in: room.place).work() == false)
            try queue.cancel(first.number, by: "ben")
            _ = try await worked
            let run = try #require(try room.store.run(first.number, of: mirror.name))
            #expect(run.state == .cancelled && run.reason == "cancelled by ben", "\(run)")
            #expect(throws: MirrorRefusal.runIsOver(first.number)) {
                try queue.cancel(first.number, by: "ben")
            }
        }
    }

    @Test func `after the server's end what waited is built, and what ran is interrupted`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let (mirror, build) = try await Self.prepare("\"true\"", in: room)
            let ran = try await build.queue(for: mirror, in: room.place, by: "ana")
            _ = try await build.queue(for: mirror, in: room.place, by: "ana")
            // The state that a killed process leaves.
            try room.store.changeRun(ran.number, of: mirror.name) { run in
                run.state = .running
                run.mark = "no such process"
            }
            let runs = try await room.build()
            #expect(runs.map(\.state) == [.interrupted, .succeeded, .succeeded])
            #expect(runs.first?.reason == "the process that ran it ended")
            #expect(try room.log(of: runs[0]) == "interrupted: the process that ran it ended\n")
            // An interrupted build is repeated once, after the waiting ones.
            #expect(runs.map(\.number) == [1, 2, 3])
            #expect(runs.map(\.repeats) == [nil, nil, 1])
        }
    }

    @Test func `a server that stops ends what it builds, and says so`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let started = folder.appending(path: "started").path()
            let (mirror, build) = try await Self.prepare("touch \(started); sleep 300", in: room)
            let queued = try await build.queue(for: mirror, in: room.place, by: "ana")
            let place = room.place
            let task = Task { try await MirrorWorker(for: mirror.name, in: place).work() }
            try await Self.wait(for: started)
            task.cancel()
            _ = try await task.value
            let run = try #require(try room.store.run(queued.number, of: mirror.name))
            #expect(
                run.state == .interrupted
                    && run.reason == "the process that ran it was stopped",
                "\(run)",
            )
            let work = folder.appending(path: "store/mirrors/app.work/\(queued.number)").path()
            #expect(!FileManager.default.fileExists(atPath: work))

            // The next server repeats it; if that one stops too, it is not repeated again.
            let again = try #require(try room.store.run(2, of: mirror.name))
            #expect(again.state == .queued && again.repeats == queued.number)
            try FileManager.default.removeItem(atPath: started)
            let second = Task { try await MirrorWorker(for: mirror.name, in: place).work() }
            try await Self.wait(for: started)
            second.cancel()
            _ = try await second.value
            #expect(
                try room.store.runs(of: mirror.name, count: 10).map(\.state) == [
                    .interrupted, .interrupted,
                ]
            )
        }
    }
}
