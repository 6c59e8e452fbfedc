import Bytes
import Cryptography
import Foundation
import MirrorBuilds
import Mirrors
import Releases
import Runners
import Store
import TestSupport
import Testing

/// A paused mirror neither syncs nor builds nor accepts pushes, no matter who asks.
@Suite struct PausedMirrorTests {
    private static let secret = "0123456789abcdef0123456789abcdef"

    private static func pause(_ isPaused: Bool, _ room: MirrorRoom) throws {
        let mirror = try room.mirror()
        var changed = mirror
        changed.isPaused = isPaused
        try MirrorActions(in: room.place, by: "ana").change(mirror, to: changed, secrets: nil)
    }

    private static func room(in folder: URL) async throws -> MirrorRoom {
        let room = try await MirrorRoom(in: folder)
        let pipeline = "steps:\n  - run: \"true\"\n"
        try await room.work.commit("Begin", [".ota/pipeline.yml": pipeline])
        try await room.push()
        let mirror = try room.add()
        try room.store.changeSecrets(of: mirror.name) { $0.hook = secret }
        try await room.sync()
        return room
    }

    private static func push(_ words: String, to room: MirrorRoom) throws -> HookService.Answer {
        let body = Array(words.utf8)
        let code = Hex.encode(authenticationCode(of: body, key: Array(secret.utf8)))
        let desk = HookService(in: room.store)
        var reception = HookReception(
            fields: ["x-ota-signature": "sha256=\(code)"],
            secret: try desk.secret(of: "app"),
        )
        reception.update(body)
        return try desk.take(reception.finish(), for: "app")
    }

    @Test func `a paused mirror refuses a sync, a build, what waits, and a push`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await Self.room(in: folder)
            let refusal = MirrorRefusal.paused(try room.mirror().name)
            try await room.work.commit("More")
            try await room.push()
            // A build that was queued before waits when the mirror is paused.
            #expect(try await room.sync().queued.count == 1)
            let before = try room.mirror()
            try Self.pause(true, room)
            let following = try room.store.mirrorState(before.name)

            await #expect(throws: refusal) { try await room.sync() }
            await #expect(throws: refusal) { try await room.build() }
            await #expect(throws: refusal) { try await room.buildByHand { $0.branch = "main" } }
            // This includes a caller that has read the mirror before it was paused.
            await #expect(throws: refusal) {
                try await Synchronisation(of: before, in: room.place, by: "ana").run()
            }
            var build = ManualBuild()
            build.branch = "main"
            let known = build
            await #expect(throws: refusal) {
                _ = try await known.queue(for: before, in: room.place, by: "ana")
            }
            #expect(throws: refusal) {
                try MirrorActions(in: room.place, by: "ana").askForSync(of: "app")
            }
            #expect(try Self.push("one", to: room) == .paused(refusal))
            #expect(try room.store.mirrorState(before.name) == following)
            #expect(try room.store.runs(of: before.name, count: 9).map(\.state) == [.queued])

            // Once resumed, it catches up, and a repeated delivery of the refused push is accepted.
            try Self.pause(false, room)
            #expect(try room.store.mirrorState(before.name).isDue)
            #expect(try Self.push("one", to: room) == .accepted)
            #expect(try await room.syncAndBuild().map(\.state) == [.succeeded])
        }
    }

    @Test func `what a killed server left of a paused mirror ends, and is repeated once resumed`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await Self.room(in: folder)
            var build = ManualBuild()
            build.branch = "main"
            let left = try await build.queue(for: room.mirror(), in: room.place, by: "ana")
            _ = try room.store.changeRun(left.number, of: left.mirror) { run in
                run.state = .running
                run.mark = "no such process"
            }
            try Self.pause(true, room)
            await #expect(throws: MirrorRefusal.paused(left.mirror)) { try await room.build() }
            let states = try room.store.runs(of: left.mirror, count: 9).map(\.state)
            #expect(states == [.queued, .interrupted])
            try Self.pause(false, room)
            #expect(try await room.build().map(\.state) == [.succeeded])
        }
    }

    @Test func `a build that waits for a runner stays as it is while its mirror is paused`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.prepare("runs-on: mac\nsteps: [run: make]\n")
            let runner = try StandInRunner(in: room)
            try runner.register()
            var place = room.place
            place.leavesStages = true
            let leaving = place
            let name = try room.mirror().name
            // The server is stopped while the build waits.
            let server = Task { try await MirrorWorker(for: name, in: leaving).work() }
            while try room.store.stages().isEmpty {
                try await Task.sleep(for: .milliseconds(20))
            }
            server.cancel()
            _ = try? await server.value
            try Self.pause(true, room)
            await #expect(throws: MirrorRefusal.paused(name)) { try await room.build() }
            #expect(try room.store.run(1, of: name)?.state == .running)
            #expect(try room.store.stages().map(\.state) == [.offered])
            try Self.pause(false, room)
            let run = try await room.build { try runner.finish(try await runner.lease()) }
            #expect(run.state == .succeeded && run.number == 1)
        }
    }

    @Test func `a mirror that is paused while it builds ends that build and begins no other`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await Self.room(in: folder)
            for branch in ["main", "main"] {
                var build = ManualBuild()
                build.branch = branch
                _ = try await build.queue(for: room.mirror(), in: room.place, by: "ana")
            }
            let name = try room.mirror().name
            await #expect(throws: MirrorRefusal.paused(name)) {
                try await MirrorWorker(for: name, in: room.place).work(onStart: { _ in
                    try? Self.pause(true, room)
                })
            }
            let states = try room.store.runs(of: name, count: 9).map(\.state)
            #expect(states == [.queued, .succeeded])
        }
    }
}
