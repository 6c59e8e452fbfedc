import Foundation
import GitRepositories
import MirrorBuilds
import Mirrors
import Synchronization
import TestSupport
import Testing

/// Builds that are cancelled while no step runs.
@Suite struct CancelledBuildTests {
    /// Builds main, and cancels build 1 as soon as its log contains these words.
    private static func cancelled(_ room: MirrorRoom, at words: String) async throws -> MirrorRun {
        var build = ManualBuild()
        build.branch = "main"
        let mirror = try room.mirror()
        let run = try await build.queue(for: mirror, in: room.place, by: "ana")
        let queue = RunQueue(of: mirror.name, in: room.place)
        let log = Mutex("")
        try await MirrorWorker(for: mirror.name, in: room.place) { bytes in
            let isSaid = log.withLock { log in
                let before = log.contains(words)
                log += String(decoding: bytes, as: UTF8.self)
                return !before && log.contains(words)
            }
            if isSaid { _ = try? queue.cancel(run.number, by: "max") }
        }.work()
        return try #require(try room.store.run(run.number, of: mirror.name))
    }

    @Test func `a build that is cancelled between two artifacts keeps the first and no other`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pipeline = """
                steps:
                  - run: echo a > a.txt && echo b > b.txt
                artifacts: [a.txt, b.txt]
                """
            try await room.work.commit("Begin", [".ota/pipeline.yml": pipeline])
            try await room.push()
            try room.add()
            try await room.sync()
            let run = try await Self.cancelled(room, at: "kept a.txt")
            #expect(run.state == .cancelled && run.reason == "cancelled by max", "\(run)")
            #expect(run.artifacts.map(\.path) == ["a.txt"])
        }
    }

    /// The submodule's server accepts the connection, and sends nothing.
    @Test func `a build that is cancelled while a submodule is fetched does not wait for it`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let port = try FreePort.any()
            let silent = try Program(path: "/usr/bin/python3").start(
                [
                    "-c",
                    "import socket, time; s = socket.create_server(('127.0.0.1', \(port))); "
                        + "print('there', flush=True); time.sleep(600)",
                ],
                in: folder,
            )
            defer { silent.send(SIGKILL) }
            #expect(await silent.line() == "there")
            let commit = try await room.work.commit(
                "Begin",
                [
                    ".ota/pipeline.yml": "steps:\n  - run: \"true\"\n",
                    ".gitmodules": "[submodule \"s\"]\n\tpath = s\n"
                        + "\turl = https://127.0.0.1:\(port)/s.git\n",
                ],
            )
            try await room.work.git("update-index", "--add", "--cacheinfo", "160000,\(commit),s")
            try await room.work.git("commit", "--quiet", "-m", "Add it")
            try await room.push()
            try room.add { $0.submodules = .any }
            try await room.sync()
            let run = try await Self.cancelled(room, at: "submodule s: commit")
            #expect(run.state == .cancelled && run.reason == "cancelled by max", "\(run)")
            #expect(run.steps.allSatisfy { $0.state == .skipped })
        }
    }
}
