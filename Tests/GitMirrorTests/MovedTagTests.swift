import GitMirror
import Releases
import TestSupport
import Testing
import Versions

/// Tags that are no longer where they were seen first.
@Suite struct MovedTagTests {
    @Test func `a moved tag is said and replaces nothing`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin", [".ota/pipeline.yml": room.pipeline])
            try await room.push()
            try room.add()
            try await room.sync()
            let first = try await room.work.git("rev-parse", "HEAD")
            try await room.work.git("tag", "v1.0.0")
            try await room.push()
            try room.prepareBuild(version: "1.0.0", number: 1)
            try room.prepareBuild(version: "1.0.0", number: 2)
            try await room.syncAndBuild()
            #expect(try room.release(on: .stable)?.commit == first)

            let second = try await room.work.commit("Something else")
            try await room.work.git("tag", "--force", "v1.0.0")
            try await room.work.git("checkout", "--quiet", "--detach")
            try await room.push()
            let report = try await room.sync()
            // The commit is one of the branch's, and no version.
            #expect(report.queued.map(\.subject) == ["main"])
            #expect(
                report.remarks == [
                    "the tag v1.0.0 was on commit \(first.prefix(10)) and has been moved to "
                        + "\(second.prefix(10)); a version must not change what it is; "
                        + "`ota mirror build app --tag v1.0.0 --rebuild` builds it all the same"
                ]
            )
            #expect(try await room.build().map(\.channel) == ["dev"])
            await #expect {
                try await room.buildByHand { $0.tag = try TagName("v1.0.0") }
            } throws: { error in
                (error as? MirrorRefusal)?.id == "mirror.moved-tag"
            }
            #expect(try room.release(on: .stable)?.commit == first)

            // The same through taking it away and pushing it again.
            try await room.work.git("tag", "--delete", "v1.0.0")
            try await room.push()
            let gone = try await room.sync()
            #expect(gone.remarks.first?.contains("is gone") == true)
            try await room.work.git("tag", "v1.0.0", second)
            try await room.push()
            #expect(try await room.sync().queued.isEmpty)
            // However many looks come after it.
            #expect(try await room.sync().remarks.isEmpty)
            let moved = MovedTag.all(of: try room.store.following(room.mirror().name))
            #expect(moved.map(\.tag) == ["v1.0.0"])
            #expect(moved.map(\.from) == [first] && moved.map(\.to) == [second])

            let rebuilt = try await room.buildByHand {
                $0.tag = try TagName("v1.0.0")
                $0.isRebuild = true
            }
            #expect(rebuilt.map(\.state) == [.succeeded], "\(rebuilt)")
            #expect(try room.release(on: .stable)?.commit == second)
            #expect(
                MovedTag.all(of: try room.store.following(room.mirror().name))
                    .isEmpty
            )
        }
    }

    @Test func `a later version settles what moved before it, and a failed build does not`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin", [".ota/pipeline.yml": room.pipeline])
            try await room.work.git("tag", "v1.0.0")
            try await room.work.git("tag", "v3.0.0")
            try await room.push()
            try room.add()
            try await room.sync()
            try await room.work.commit("Go on")
            try await room.work.git("tag", "--force", "v1.0.0")
            try await room.work.git("tag", "--force", "v3.0.0")
            try await room.push()
            try await room.sync()
            func moved() throws -> [String] {
                MovedTag.all(of: try room.store.following(room.mirror().name)).map(\.tag)
            }
            #expect(try moved() == ["v1.0.0", "v3.0.0"])
            // There is no build for it to take.
            let failed = try await room.buildByHand {
                $0.tag = try TagName("v1.0.0")
                $0.isRebuild = true
            }
            #expect(failed.last?.state == .failed)
            #expect(try moved() == ["v1.0.0", "v3.0.0"])

            try await room.work.git("tag", "v2.0.0")
            try await room.push()
            try await room.sync()
            #expect(try moved() == ["v3.0.0"])
        }
    }
}
