import Foundation
import Identifiers
import MirrorBuilds
import Mirrors
import Publishing
import Releases
import Store
import TestSupport
import Testing
import Versions

/// Tags that are no longer where they were first seen.
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
            // The commit is on the branch, and has no version tag.
            #expect(report.queued.map(\.subject) == ["main"])
            #expect(
                report.remarks == [
                    "the tag v1.0.0 was moved from commit \(first.prefix(12)) to "
                        + "\(second.prefix(12)); a published version must not change; `ota mirror "
                        + "build app --tag v1.0.0 --rebuild` builds it anyway"
                ]
            )
            #expect(try await room.build().map(\.channel) == ["dev"])
            await #expect {
                try await room.buildByHand { $0.tag = try TagName("v1.0.0") }
            } throws: { error in
                (error as? MirrorRefusal)?.id == "mirror.moved-tag"
            }
            #expect(try room.release(on: .stable)?.commit == first)

            // The same by deleting the tag and pushing it again.
            try await room.work.git("tag", "--delete", "v1.0.0")
            try await room.push()
            let gone = try await room.sync()
            #expect(gone.remarks.first?.contains("was deleted") == true)
            try await room.work.git("tag", "v1.0.0", second)
            try await room.push()
            #expect(try await room.sync().queued.isEmpty)
            // However many syncs follow.
            #expect(try await room.sync().remarks.isEmpty)
            let moved = MovedTag.all(of: try room.store.mirrorState(room.mirror().name))
            #expect(moved.map(\.tag) == ["v1.0.0"])
            #expect(moved.map(\.from) == [first] && moved.map(\.to) == [second])

            let rebuilt = try await room.buildByHand {
                $0.tag = try TagName("v1.0.0")
                $0.isRebuild = true
            }
            #expect(rebuilt.map(\.state) == [.succeeded], "\(rebuilt)")
            #expect(try room.release(on: .stable)?.commit == second)
            let app = try #require(try room.store.apps().first).bundleIdentifier
            let old = try #require(ReleaseIdentifier("1.0.0-1"))
            let taken = try #require(try room.store.release(old, of: app)?.withdrawal)
            #expect(
                taken.reason
                    == "The tag v1.0.0 is on commit \(second.prefix(12)), not on "
                    + "\(first.prefix(12)): 1.0.0 (2) replaces this build."
            )
            #expect(taken.actor == "ana")
            let note = try #require(rebuilt.first?.warnings.first)
            #expect(note.hasPrefix("1.0.0-1 of \(app) is withdrawn, because the tag v1.0.0 is"))
            #expect(try room.log(of: rebuilt[0]).contains("note: \(note)"))
            let told = try room.store.activity(count: 3).filter { $0.event == .withdrawn }
            #expect(told.map(\.actor) == ["ana"] && told.map(\.subject) == ["1.0.0-1"])
            #expect(
                MovedTag.all(of: try room.store.mirrorState(room.mirror().name))
                    .isEmpty
            )
        }
    }

    /// A mirror of tags only, whose v1.0.0 is published; the given number of builds is prepared.
    private static func released(in folder: URL, builds: Int) async throws -> MirrorRoom {
        let room = try await MirrorRoom(in: folder)
        try await room.work.commit("Begin", [".ota/pipeline.yml": room.pipeline])
        try await room.push()
        try room.add { $0.branches = [ReferencePattern("none")].compactMap(\.self) }
        try await room.sync()
        try await room.work.git("tag", "v1.0.0")
        try await room.push()
        for number in 1...builds { try room.prepareBuild(version: "1.0.0", number: number) }
        try await room.syncAndBuild()
        return room
    }

    @Test func `a rebuild leaves no channel behind, and takes back only what its tag was`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await Self.released(in: folder, builds: 3)
            let app = try #require(try room.store.apps().first).bundleIdentifier
            func release(_ number: Int) throws -> ReleaseIdentifier {
                try #require(ReleaseIdentifier("1.0.0-\(number)"))
            }
            func isWithdrawn(_ number: Int) throws -> Bool {
                try room.store.release(release(number), of: app)?.withdrawal != nil
            }
            let beta = try #require(ChannelName("beta"))
            try room.store.promote(release(1), of: app, to: beta, by: "ana", at: room.date)

            // A build of another commit with the tag's version, while the tag stays where it is.
            let second = try await room.work.commit("Go on")
            try await room.push()
            try await room.sync()
            let called = try await room.buildByHand {
                $0.commit = CommitIdentifier(second)
                $0.tag = try TagName("v1.0.0")
                $0.isRebuild = true
            }
            #expect(called.last?.state == .succeeded, "\(called)")
            #expect(
                called.last?.warnings == [
                    "1.0.0-1 of \(app), the earlier build of v1.0.0, stays installable: `ota "
                        + "releases withdraw \(app) 1.0.0-1` withdraws it"
                ]
            )
            #expect(try !isWithdrawn(1))

            // A failed build withdraws nothing.
            let third = try await room.work.commit("Further", ["new": "file"])
            try await room.work.git("tag", "--force", "v1.0.0")
            try await room.push()
            try await room.sync()
            let ipa = folder.appending(path: "builds/1.0.0-3.ipa")
            let kept = try Data(contentsOf: ipa)
            try Data("no IPA".utf8).write(to: ipa)
            func rebuild() async throws -> MirrorRun? {
                try await room.buildByHand {
                    $0.tag = try TagName("v1.0.0")
                    $0.isRebuild = true
                }.last
            }
            #expect(try await rebuild()?.state == .failed)
            #expect(try !isWithdrawn(1) && !isWithdrawn(2))

            try kept.write(to: ipa)
            let rebuilt = try await rebuild()
            #expect(rebuilt?.state == .succeeded)
            #expect(rebuilt?.commit == third)
            #expect(try isWithdrawn(1) && isWithdrawn(2) && !isWithdrawn(3))
            let channels = try #require(try room.store.app(app)?.channels)
            #expect(try channels[.stable] == release(3) && channels[beta] == release(3))
        }
    }

    @Test func `a rebuild of where a tag was takes nothing back`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await Self.released(in: folder, builds: 2)
            let app = try #require(try room.store.apps().first).bundleIdentifier
            let first = try #require(ReleaseIdentifier("1.0.0-1"))
            func move() async throws {
                try await room.work.commit("Go on")
                try await room.work.git("tag", "--force", "v1.0.0")
                try await room.push()
                try await room.sync()
            }
            try await move()
            var rebuild = ManualBuild()
            rebuild.tag = try TagName("v1.0.0")
            rebuild.isRebuild = true
            _ = try await rebuild.queue(for: room.mirror(), in: room.place, by: "ana")
            // While it waits, the tag is moved again.
            try await move()
            let built = try #require(try await room.build().last)
            #expect(built.state == .succeeded)
            #expect(try room.store.release(first, of: app)?.withdrawal == nil)
            #expect(built.warnings.contains { $0.contains("1.0.0-1") && $0.contains("stays") })
            let moved = MovedTag.all(of: try room.store.mirrorState(room.mirror().name))
            #expect(moved.map(\.tag) == ["v1.0.0"], "it is not settled")
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
                MovedTag.all(of: try room.store.mirrorState(room.mirror().name)).map(\.tag)
            }
            #expect(try moved() == ["v1.0.0", "v3.0.0"])
            // There is no build for it to use.
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
