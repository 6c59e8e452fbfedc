import Foundation
import MirrorBuilds
import TestSupport
import Testing

/// Server, agent and repository as separate processes: what a runner builds, and what remains after one of
/// them is killed.
@Suite(.timeLimit(.minutes(10)))
struct RunnerTests {
    private static let build = """
        runs-on: mac
        steps:
          - name: Build
            run: |
              echo "building $TAG on $OTA_RUNNER"
              mkdir out && echo made > out/app.txt
        artifacts:
          - out/*
        """

    @Test func `a pushed tag is built by a runner, and its files come back`() async throws {
        try await RunnerRoom.run { room in
            let server = try await room.serve()
            defer { server.send(SIGKILL) }
            let agent = try await room.startAgent()
            defer { agent.send(SIGKILL) }
            try await room.push(Self.build, tag: "v1.0.0")
            let run = try await room.ended(1)
            let log = try room.log(of: run)
            #expect(run.state == .succeeded, "\(log)")
            #expect(log.contains("building v1.0.0 on mac-1\n"), "\(log)")
            #expect(run.artifacts.map(\.path) == ["out/app.txt"])

            agent.send(SIGTERM)
            #expect(try await agent.status() == 0)
            #expect(try room.leftovers.isEmpty)
        }
    }

    // Options: serve: lease
    @Test func `a lease ends after the time that serve --lease gives it`() async throws {
        try await RunnerRoom.run { room in
            let server = try await room.serve("--lease", "10s")
            defer { server.send(SIGKILL) }
            let agent = try await room.startAgent()
            defer { agent.send(SIGKILL) }
            try await room.push(room.waitingPipeline, tag: "v1.0.0")
            try await eventually(within: .seconds(60), "the step runs") { room.isWaiting }
            agent.send(SIGKILL)
            _ = try await agent.status()
            try await eventually(within: .seconds(40), "the lease ends") {
                let run = try room.store.run(1, of: room.mirror)
                return run?.warnings.contains { $0.contains("not heard from for 10 s") } == true
            }
        }
    }

    @Test func `after kill -9 of the agent its next start ends what ran, and builds again`()
        async throws
    {
        try await RunnerRoom.run { room in
            let server = try await room.serve()
            defer { server.send(SIGKILL) }
            let first = try await room.startAgent()
            defer { first.send(SIGKILL) }
            try await room.push(room.waitingPipeline, tag: "v1.0.0")
            try await eventually(within: .seconds(60), "the step runs") { room.isWaiting }
            first.send(SIGKILL)
            _ = try await first.status()
            #expect(try room.isStepAlive)
            let before = try room.step

            let second = try await room.startAgent()
            defer { second.send(SIGKILL) }
            try await eventually(within: .seconds(60), "the step begins again") {
                try room.step != before
            }
            #expect(!RunnerRoom.isAlive(before))
            try room.finishSteps()
            let run = try await room.ended(1)
            let log = try room.log(of: run)
            #expect(run.state == .succeeded, "\(log)")
            #expect(log.contains("killed, or crashed"), "\(log)")
            #expect(try room.leftovers.isEmpty)
        }
    }

    @Test func `after kill -9 of the server the build goes on, and no line of its log is lost`()
        async throws
    {
        try await RunnerRoom.run { room in
            let first = try await room.serve()
            defer { first.send(SIGKILL) }
            let agent = try await room.startAgent()
            defer { agent.send(SIGKILL) }
            try await room.push(room.waitingPipeline, tag: "v1.0.0")
            try await eventually(within: .seconds(60), "the step runs") { room.isWaiting }
            let step = try room.step
            first.send(SIGKILL)
            _ = try await first.status()

            let second = try await room.serve()
            defer { second.send(SIGKILL) }
            try room.finishSteps()
            let run = try await room.ended(1)
            let log = try room.log(of: run)
            #expect(run.state == .succeeded, "\(log)")
            let lines = log.split(separator: "\n").filter { $0.hasPrefix("line ") }
            #expect(lines == (1...200).map { "line \($0)" })
            #expect(try room.step == step, "the step ran once")
            #expect(try room.store.runs(of: room.mirror, count: 10).count == 1)
        }
    }

    @Test func `a build that is cancelled ends on the runner too`() async throws {
        try await RunnerRoom.run { room in
            let server = try await room.serve()
            defer { server.send(SIGKILL) }
            let agent = try await room.startAgent()
            defer { agent.send(SIGKILL) }
            try await room.push(room.waitingPipeline, tag: "v1.0.0")
            try await eventually(within: .seconds(60), "the step runs") { room.isWaiting }
            let cancelled = try await room.ota("mirror", "cancel", "app", "1")
            #expect(cancelled.status == 0, "\(cancelled.errors)")
            #expect(try await room.ended(1).state == .cancelled)
            try await eventually(within: .seconds(30), "the step is killed") {
                try !room.isStepAlive
            }
            // Afterwards the agent takes the next build.
            try await room.push(Self.build, tag: "v1.1.0")
            #expect(try await room.ended(2).state == .succeeded)
            #expect(try room.leftovers.isEmpty)
        }
    }

    @Test func `an agent whose runner is removed exits, and says how to register again`()
        async throws
    {
        try await RunnerRoom.run { room in
            let server = try await room.serve()
            defer { server.send(SIGKILL) }
            let agent = try await room.startAgent()
            defer { agent.send(SIGKILL) }
            let removed = try await room.ota("runners", "remove", "mac-1")
            #expect(removed.status == 0, "\(removed.errors)")
            let line = await agent.line()
            #expect(line?.contains("ota runners code mac-1") == true, "\(line ?? "nothing")")
            #expect(try await agent.status() == 1)
        }
    }
}
