import Foundation
import GitRepositories
import MirrorBuilds
import Mirrors
import TestSupport
import Testing

/// What happens to the copy of a repository from one sync to the next.
@Suite struct FetchTests {
    private static func repository(in room: MirrorRoom) -> URL {
        room.folder.appending(path: "store/mirrors/app.git")
    }

    @Test func `a branch that takes the place of a folder of branches, and back, is followed`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin")
            try await room.work.git("branch", "feature")
            try await room.push()
            try room.add()
            try await room.sync()
            for name in ["feature/x", "feature"] {
                let old = name == "feature" ? "feature/x" : "feature"
                try await TestRepository.git(["branch", "--move", old, name], in: room.upstream)
                #expect(try await room.sync().changes.map(\.name) == ["feature", "feature/x"])
            }
        }
    }

    @Test func `a fetch that is ended leaves neither halves of packs nor locks`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin")
            try await room.push()
            try room.add()
            try await room.sync()
            var random = SeededGenerator(seed: 4)
            let noise = (0..<300_000).map { _ in String(random.next() % 10) }.joined()
            try await room.work.commit("Large", ["large": noise])
            try await room.push()
            func limit(to bytes: Int) throws {
                try room.store.changeMirrors { register in
                    try register.change(try room.mirror().name) { $0.limits.fileBytes = bytes }
                }
            }
            try limit(to: 64 << 10)
            await #expect(throws: GitFailure.self) { try await room.sync() }
            let objects = Self.repository(in: room).appending(path: "objects").path()
            let names = FileManager.default.enumerator(atPath: objects)?.compactMap {
                $0 as? String
            }
            #expect(names?.contains { $0.contains("tmp_") } == false, "\(names ?? [])")

            // The state that a machine leaves after a power failure.
            try limit(to: 1 << 30)
            for lock in ["packed-refs.lock", "refs/heads/main.lock", "HEAD.lock"] {
                try Data().write(to: Self.repository(in: room).appending(path: lock))
            }
            #expect(try await room.sync().queued.count == 1)
        }
    }

    @Test func `names that are one text do not move at every look`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin")
            try await room.push()
            try room.add()
            try await room.sync()
            try await room.work.git("tag", "caf\u{E9}")
            try await room.work.commit("Go on")
            try await room.work.git("tag", "cafe\u{301}")
            try await room.push()
            try await room.sync()
            #expect(try await room.sync().changes.isEmpty)
        }
    }
}
