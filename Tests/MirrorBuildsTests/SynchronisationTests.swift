import Foundation
import MirrorBuilds
import Mirrors
import Releases
import Store
import TestSupport
import Testing
import Versions

/// Which pushes are built, each once.
@Suite struct SynchronisationTests {
    @Test func `more tags than the queue holds are built all the same, each once`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            // Without a pipeline, there is little to do.
            let commit = try await room.work.commit("Begin")
            try await room.push()
            try room.add()
            try await room.sync()
            let count = RunQueue.limit + 20
            let tags = (0..<count).map { "create refs/tags/v1.0.\($0) \(commit)\n" }.joined()
            try await TestRepository.git(
                ["update-ref", "--stdin"],
                in: room.upstream,
                input: tags,
            )

            let first = try await room.sync()
            #expect(first.queued.count == RunQueue.limit)
            #expect(try room.store.mirrorState(room.mirror().name).isDue)
            #expect(try await room.sync().queued.isEmpty)
            #expect(try await room.build().count == RunQueue.limit)
            let rest = try await room.sync()
            #expect(rest.queued.count == 20)
            #expect(Set((first.queued + rest.queued).map(\.tag)).count == count)
            let state = try room.store.mirrorState(room.mirror().name)
            #expect(!state.isDue && state.problem == nil)
            #expect(try await room.sync().changes.isEmpty)
        }
    }

    @Test(
        arguments: [
            (nil, false, false, "schedule"), (-301, false, false, "schedule"),
            (-299, false, false, nil),
            (-1, true, false, "webhook"), (-1, true, true, nil), (-61, true, true, "webhook"),
            // The clock was ahead.
            (86_400, false, false, "schedule"), (86_400, true, true, "webhook"),
        ] as [(Double?, Bool, Bool, String?)]
    )
    func `a sync is due by the schedule, and by a webhook at once`(
        synced: Double?,
        isDue: Bool,
        hasFailed: Bool,
        asked: String?,
    ) {
        let now = Date(timeIntervalSince1970: 1_769_860_800)
        var state = MirrorState()
        state.synced = synced.map { now.addingTimeInterval($0) }
        state.isDue = isDue
        state.problem = hasFailed ? "git fetch failed" : nil
        #expect(state.asksForSync(every: 300, at: now) == asked)
        #expect(state.asksForSync(every: nil, at: now) == (isDue ? asked : nil))
    }

    @Test func `a commit whose tag is not built is built as dev`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin")
            try await room.work.git("tag", "v2.0.0")
            try await room.push()
            try room.add { $0.tags = [ReferencePattern("v2*")].compactMap(\.self) }
            try await room.sync()

            try await room.work.commit("Go on")
            try await room.work.git("tag", "v1.9.0")
            try await room.push()
            #expect(try await room.sync().queued.map(\.subject) == ["main"])

            try await room.work.commit("Go further")
            try await room.work.git("tag", "--force", "v2.0.0")
            try await room.push()
            let moved = try await room.sync()
            #expect(moved.remarks.count == 1)
            #expect(moved.queued.map(\.subject) == ["main"])

            try await room.work.commit("Arrive")
            try await room.work.git("tag", "v2.1.0")
            try await room.push()
            #expect(try await room.sync().queued.map(\.subject) == ["v2.1.0"])
        }
    }

    @Test func `thousands of strange names make few remarks, behind the one that matters`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin")
            try await room.work.git("tag", "v1.0.0")
            try await room.push()
            try room.add()
            try await room.sync()
            let commit = try await room.work.commit("Go on")
            try await room.work.git("tag", "--force", "v1.0.0")
            try await room.push()
            let tags = (0..<2000).map { "create refs/tags/!\($0) \(commit)\n" }.joined()
            try await TestRepository.git(
                ["update-ref", "--stdin"],
                in: room.upstream,
                input: tags,
            )
            let remarks = try await room.sync().remarks
            #expect(remarks.count == 51)
            #expect(remarks.first?.hasPrefix("the tag v1.0.0 was moved from commit") == true)
            #expect(remarks.last == "1951 more of that kind")
            #expect(
                try room.store.activity(count: 1000).filter { $0.event == .tagRefused }.count == 51
            )
        }
    }
}
