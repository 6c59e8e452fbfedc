import Foundation
import Phone
import PropertyLists
import TestSupport
import Testing

/// The recipes for pull requests, from the archive on a Mac to the comment, the phone and the end of the
/// channel.
@Suite(.timeLimit(.minutes(10)))
struct PullRequestTests {
    enum System: String, CaseIterable, Sendable {
        case github, gitlab

        func push(
            _ run: Int,
            in room: RecipeRoom,
            on host: CommentHost,
            isFork: Bool = false,
        ) async throws -> JobRun? {
            switch self {
            case .github:
                try await GitHubPullRequest(in: room, on: host).run(
                    run == 1 ? "opened" : "synchronize",
                    run: run,
                    from: isFork ? "somebody/browsey" : "vforsh/browsey",
                )
            case .gitlab:
                try await GitLabMergeRequest(in: room, on: host)
                    .push(run: run, from: isFork ? "43" : "42")
            }
        }

        func close(
            in room: RecipeRoom,
            on host: CommentHost,
            isFork: Bool = false,
        ) async throws -> JobRun? {
            switch self {
            case .github:
                try await GitHubPullRequest(in: room, on: host)
                    .run("closed", from: isFork ? "somebody/browsey" : "vforsh/browsey")
            case .gitlab:
                try await GitLabMergeRequest(in: room, on: host).close(from: isFork ? "43" : "42")
            }
        }
    }

    private static func run(
        _ body: (RecipeRoom, CommentHost) async throws -> Void
    ) async throws {
        try await RecipeRoom.run { room in
            try await CommentHost.run { host in try await body(room, host) }
        }
    }

    @Test(arguments: System.allCases)
    func `a pull request has one comment that leads to its newest build, until it is closed`(
        system: System
    ) async throws {
        try await Self.run { room, host in
            let first = try #require(try await system.push(1, in: room, on: host))
            try #require(first.hasPassed, "\(first.log)")
            let posted = try await host.written()
            #expect(posted.writes == ["create 12"])
            let comment = try #require(posted.own["12"]?.first)
            let link = room.base + "/apps/browsey?channel=pr-12"
            #expect(comment.hasPrefix("<!-- ota com.vforsh.browsey pr-12 -->\n"))
            #expect(comment.contains("Browsey 9.9.9 (26.12.1)") && comment.contains("(<\(link)>)"))
            #expect(comment.contains("qr.svg?channel=pr-12") && comment.contains("| Link ends |"))
            let stored = try #require(try room.releases().first)
            #expect(stored.channel == "pr-12" && stored.tag == nil)
            #expect(try await stored.commit == room.commit(of: .branch("main")))
            let app = try InstalledApp(await room.phone().bytes(from: link))
            #expect(app.info("CFBundleVersion")?.string == "26.12.1")

            try await room.repository.commit("Review the review")
            let second = try #require(try await system.push(2, in: room, on: host))
            try #require(second.hasPassed, "\(second.log)")
            let updated = try await host.written()
            #expect(updated.writes == ["create 12", "update 12"])
            #expect(updated.own["12"]?.count == 1)
            #expect(updated.own["12"]?.first?.contains("Browsey 9.9.9 (27.12.2)") == true)
            #expect(updated.people == posted.people, "comments of people stay")
            let newest = try InstalledApp(await room.phone().bytes(from: link))
            #expect(newest.info("CFBundleVersion")?.string == "27.12.2")

            let closed = try #require(try await system.close(in: room, on: host))
            #expect(closed.hasPassed && closed.log.contains("Ended pr-12"), "\(closed.log)")
            let again = try #require(try await system.close(in: room, on: host))
            #expect(again.hasPassed && again.log.contains("already ended"), "\(again.log)")
            let browser = try Browser(like: room.phone())
            try await eventually("the channel's page is gone") {
                try await browser.get(link).status == 410
            }
            #expect(room.isUntouched)
            for log in [first.log, second.log, closed.log, comment] {
                #expect(!log.contains(room.token) && !log.contains(CommentHost.token))
            }
        }
    }

    @Test(arguments: System.allCases)
    func `a run that is tried again replaces its own build and its own comment`(
        system: System
    ) async throws {
        try await Self.run { room, host in
            for _ in 1...2 {
                let run = try #require(try await system.push(1, in: room, on: host))
                try #require(run.hasPassed, "\(run.log)")
            }
            #expect(try room.releases().count == 1)
            #expect(try await host.written().writes == ["create 12", "update 12"])
        }
    }

    @Test(arguments: System.allCases)
    func `a pull request from a fork runs nothing`(system: System) async throws {
        try await Self.run { room, host in
            let pushed = try await system.push(1, in: room, on: host, isFork: true)
            let closed = try await system.close(in: room, on: host, isFork: true)
            #expect(pushed == nil && closed == nil)
            #expect(try room.releases().isEmpty)
            #expect(try await host.written().writes.isEmpty)
        }
    }

    @Test(arguments: System.allCases)
    func `no process of it is started with a token among its arguments`(system: System) async throws
    {
        try await Self.run { room, host in
            var room = room
            let trace = room.folder.appending(path: "trace")
            room.tracer = [
                "strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=execve", "-s", "100000",
                "-A", "-o", trace.path(),
            ]
            let run = try #require(try await system.push(1, in: room, on: host))
            #expect(run.hasPassed, "\(run.log)")
            _ = try await system.close(in: room, on: host)
            let started = try String(contentsOf: trace, encoding: .utf8)
            #expect(
                started.contains("\"publish\", \"") && started.contains("\"channels\", \"end\"")
            )
            #expect(!started.contains(room.token) && !started.contains(CommentHost.token))
        }
    }
}
