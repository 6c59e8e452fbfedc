import Foundation
import MirrorBuilds
import Mirrors
import Releases
import TestSupport
import Testing
import Versions

/// The queued builds, and how later requests change them.
@Suite struct QueueTests {
    private static func commit(_ number: Int) throws -> CommitIdentifier {
        let digits = String(number, radix: 16)
        let text = String(repeating: "0", count: 40 - digits.count) + digits
        return try #require(CommitIdentifier(text))
    }

    @Test func `a tag that waits is built however many pushes to a branch come after it`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let mirror = try room.add()
            let queue = RunQueue(of: mirror.name, in: room.place)
            let tag = try TagName("v1.0.0")
            let tagged = try queue.add(
                RunRequest(
                    .tag,
                    by: "webhook",
                    reference: tag.reference,
                    commit: try Self.commit(1),
                    tag: tag,
                )
            )
            for number in 2..<320 {
                try queue.add(
                    RunRequest(
                        .branch,
                        by: "webhook",
                        reference: "refs/heads/main",
                        commit: try Self.commit(number),
                    )
                )
            }
            #expect(try queue.next()?.number == tagged?.number)
            let waiting = try room.store.runs(of: mirror.name, count: 1000)
                .filter { $0.state == .queued }
            #expect(waiting.map(\.number) == [319, 1])
        }
    }

    @Test func `a build by hand says which one it repeats, and is built all the same`() async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin", [".ota/pipeline.yml": room.pipeline])
            try await room.push()
            let mirror = try room.add()
            try await room.sync()
            let commit = try await room.work.commit("Go on")
            try await room.push()
            #expect(try await room.sync().queued.map(\.subject) == ["main"])

            var build = ManualBuild()
            build.branch = "main"
            let first = try await build.queue(for: mirror, in: room.place, by: "ana")
            #expect(
                first.warnings == [
                    "mirror app is already building \(commit.prefix(12)), because of a push to main: "
                        + "`ota mirror logs app 1`; this is another build of the same commit"
                ]
            )
            #expect(try room.store.run(first.number, of: mirror.name) == first)
            let second = try await build.queue(for: mirror, in: room.place, by: "ben")
            #expect(second.warnings.first?.contains("as ana requested") == true)
            let ended = try await room.build()
            #expect(ended.map(\.number) == [1, 2, 3])
            #expect(try room.log(of: ended[1]).contains("note: mirror app is already building"))
            #expect(try !room.log(of: ended[0]).contains("note:"))

            let alone = try await build.queue(for: mirror, in: room.place, by: "ana")
            #expect(alone.warnings.isEmpty, "nothing waits or runs")
        }
    }

    @Test func `a push takes the place of a push that waits, and of nothing asked for by hand`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let mirror = try room.add()
            let queue = RunQueue(of: mirror.name, in: room.place)
            func add(_ cause: BuildCause, _ number: Int, tag: TagName? = nil) throws -> Bool {
                let request = RunRequest(
                    cause,
                    by: "ana",
                    reference: "refs/heads/main",
                    commit: try Self.commit(number),
                    tag: tag,
                )
                return try queue.add(request) != nil
            }
            func waiting() throws -> [Int] {
                try room.store.runs(of: mirror.name, count: 100)
                    .filter { $0.state == .queued }.map(\.number)
            }
            #expect(try add(.branch, 1))
            #expect(try add(.manual, 1, tag: TagName("v1.0.0-beta.1")))
            #expect(try add(.branch, 2))
            #expect(try waiting() == [3, 2])
            // The branch is pushed back to where it was: the build that was replaced is not the one that is
            // built there.
            #expect(try add(.branch, 1))
            #expect(try waiting() == [4, 2])
            // A cancelled build is not queued again by each sync.
            try queue.cancel(4, by: "ben")
            #expect(try !add(.branch, 1))
            #expect(try waiting() == [2])
        }
    }

    @Test func `a build that publishes is cancelled no more`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let mirror = try room.add()
            let queue = RunQueue(of: mirror.name, in: room.store, at: room.date)
            let request = RunRequest(
                .manual,
                by: "ana",
                reference: nil,
                commit: try Self.commit(1),
            )
            let number = try #require(try queue.add(request)).number
            try room.store.changeRun(number, of: mirror.name) { $0.isDelivering = true }
            #expect(throws: MirrorRefusal.runIsDelivering(number)) {
                try queue.cancel(number, by: "ben")
            }
            #expect(try room.store.run(number, of: mirror.name)?.cancelledBy == nil)
            try room.store.changeRun(number, of: mirror.name) { $0.isDelivering = nil }
            #expect(try queue.cancel(number, by: "ben").state == .cancelled)
        }
    }

    @Test func `what has ended long ago is not read again, and what waits beside it is`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let mirror = try room.add()
            func queue(after seconds: Double) -> RunQueue {
                RunQueue(of: mirror.name, in: room.store, at: room.date + seconds)
            }
            for number in 1...60 {
                try queue(after: 0).add(
                    RunRequest(.manual, by: "ana", reference: nil, commit: try Self.commit(number))
                )
            }
            for number in 1...60 where number != 50 {
                try queue(after: 1).cancel(number, by: "ana")
            }
            #expect(try queue(after: 2).next()?.number == 50)
            #expect(try room.store.mirrorState(mirror.name).settled == nil)
            #expect(try queue(after: 7200).next()?.number == 50)
            #expect(try room.store.mirrorState(mirror.name).settled == 49)
            #expect(try queue(after: 7300).next()?.number == 50)
        }
    }

    @Test func `a full queue takes no more and loses none`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit(
                "Begin",
                [".ota/pipeline.yml": "steps:\n  - run: \"true\"\n"],
            )
            try await room.push()
            let mirror = try room.add()
            try await room.sync()
            let queue = RunQueue(of: mirror.name, in: room.place)
            for number in 1...RunQueue.limit {
                try queue.add(
                    RunRequest(.manual, by: "ana", reference: nil, commit: try Self.commit(number))
                )
            }
            try await room.work.git("tag", "v1.0.0")
            try await room.push()
            #expect(try await room.sync().queued.isEmpty)
            let problem = try #require(try room.store.mirrorState(mirror.name).problem)
            #expect(problem.hasPrefix("100 builds are already queued"), "\(problem)")
            for number in 1...RunQueue.limit { try queue.cancel(number, by: "ana") }
            // The tag was not forgotten.
            #expect(try await room.sync().queued.map(\.tag) == ["v1.0.0"])
        }
    }
}
