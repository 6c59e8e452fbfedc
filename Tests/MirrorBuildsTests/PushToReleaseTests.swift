import Bundles
import Foundation
import Identifiers
import MirrorBuilds
import Mirrors
import Releases
import Store
import TestSupport
import Testing
import Versions

@Suite struct PushToReleaseTests {
    private static let browsey = BundleIdentifier("com.vforsh.browsey")

    @Test func `a pushed tag becomes a release with the notes since the tag before`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin", [".ota/pipeline.yml": room.pipeline])
            try await room.work.git("tag", "v1.1.0")
            try await room.push()
            try room.add()
            let first = try await room.sync()
            #expect(first.isFirst && first.queued.isEmpty && first.tags == 1)

            try await room.work.commit("Add a dark mode")
            try await room.work.commit("Fix the camera")
            try await room.work.git("tag", "v1.2.0")
            try await room.push()
            try room.prepareBuild(version: "1.2.0", number: 3)
            let runs = try await room.syncAndBuild()

            #expect(runs.map(\.state) == [.succeeded], "\(runs)")
            let run = try #require(runs.first)
            #expect(run.cause == .tag && run.tag == "v1.2.0" && run.channel == "stable")
            #expect(run.artifacts.map(\.outcome) == [.published])
            let release = try #require(try room.release(on: .stable))
            #expect(release.version == "1.2.0" && release.build == "3")
            #expect(release.tag == "v1.2.0" && release.commit == run.commit)
            #expect(release.notes == "- Fix the camera\n- Add a dark mode")
            #expect(release.publisher == "mirror app")
            #expect(try room.log(of: run).contains("published build/App.ipa: Browsey 1.2.0"))
        }
    }

    @Test func `a tag of an old line that takes a channel back is said in the log`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin", [".ota/pipeline.yml": room.pipeline])
            try await room.push()
            try room.add()
            try await room.sync()
            try await room.work.git("tag", "v2.0.0")
            try await room.push()
            try room.prepareBuild(version: "2.0.0", number: 1)
            let newer = try #require(try await room.syncAndBuild().first)
            #expect(try !room.log(of: newer).contains("history.version-not-above"))

            try await room.work.commit("Fix the old line")
            try await room.work.git("tag", "v1.9.1")
            try await room.push()
            try room.prepareBuild(version: "1.9.1", number: 2)
            let older = try #require(try await room.syncAndBuild().first { $0.tag == "v1.9.1" })
            #expect(older.state == .succeeded)
            #expect(try room.log(of: older).contains("warning: history.version-not-above: "))
        }
    }

    @Test func `a pre-release lands on the channel of its word, and a commit without tag on dev`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin", [".ota/pipeline.yml": room.pipeline])
            try await room.push()
            try room.add()
            try await room.sync()

            try await room.work.git("tag", "v1.3.0-beta.1")
            try await room.push()
            try room.prepareBuild(version: "1.3.0", number: 1)
            #expect(try await room.syncAndBuild().map(\.state) == [.succeeded])
            #expect(try room.release(on: "beta")?.version == "1.3.0")

            try await room.work.commit("Go on")
            try await room.push()
            try room.prepareBuild(version: "1.3.0", number: 2)
            let runs = try await room.syncAndBuild()
            #expect(runs.map(\.state) == [.succeeded], "\(runs)")
            #expect(runs.map(\.cause) == [.branch])
            #expect(runs.first?.version == "dev")
            #expect(try room.release(on: "dev")?.build == "2")
            #expect(try room.release(on: "beta")?.build == "1")
        }
    }

    @Test func `a build by hand is called after the tag that it was given`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin", [".ota/pipeline.yml": room.pipeline])
            try await room.work.git("tag", "v1.0.0")
            try await room.work.commit("Go on")
            try await room.push()
            try room.add()
            try await room.sync()
            try room.prepareBuild(version: "1.0.0", number: 1)
            try room.prepareBuild(version: "2.0.0", number: 2)

            let tagged = try await room.buildByHand { $0.tag = try TagName("v1.0.0") }
            #expect(tagged.map(\.state) == [.succeeded], "\(tagged)")
            #expect(try room.release(on: .stable)?.identifier.rawValue == "1.0.0-1")

            // A tag that does not exist yet names the build of a branch.
            let named = try await room.buildByHand {
                $0.tag = try TagName("v2.0.0")
                $0.branch = "main"
            }
            #expect(named.map(\.state) == [.succeeded], "\(named)")
            #expect(try room.release(on: .stable)?.tag == "v2.0.0")

            // An existing tag must be on the commit, and a tag without a version cannot name a build.
            for (tag, id) in [
                ("v1.0.0", "mirror.tag-elsewhere"), ("nightly", "mirror.no-version"),
            ] {
                await #expect {
                    try await room.buildByHand {
                        $0.tag = try TagName(tag)
                        $0.branch = "main"
                    }
                } throws: { error in
                    (error as? MirrorRefusal)?.id == id
                }
            }
            let forced = try await room.buildByHand {
                $0.tag = try TagName("v1.0.0")
                $0.branch = "main"
                $0.isRebuild = true
            }
            #expect(forced.count == 1)
        }
    }

    @Test func `a build of an app that is not the mirror's is refused`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit("Begin", [".ota/pipeline.yml": room.pipeline])
            try await room.work.git("tag", "v1.0.0")
            try await room.push()
            try room.add { $0.apps = ["com.vforsh.other*"].compactMap(ReferencePattern.init) }
            try await room.sync()
            try room.prepareBuild(version: "1.0.0", number: 1)
            let refused = try await room.buildByHand { $0.tag = try TagName("v1.0.0") }
            #expect(refused.map(\.state) == [.failed])
            #expect(
                refused.first?.reason
                    == "build/App.ipa: the mirror app may publish only com.vforsh.other*, not the "
                    + "app com.vforsh.browsey"
            )
            #expect(try room.store.apps().isEmpty)

            try room.store.changeMirrors { register in
                try register.change(try room.mirror().name) {
                    $0.apps = ["com.vforsh.*"].compactMap(ReferencePattern.init)
                }
            }
            let taken = try await room.buildByHand { $0.tag = try TagName("v1.0.0") }
            #expect(taken.map(\.state) == [.succeeded], "\(taken)")
        }
    }

    @Test func `an IPA of another version than the tag's is refused`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pipeline = room.pipeline.replacing("$MARKETING_VERSION", with: "0.9.0")
            try await room.work.commit("Begin", [".ota/pipeline.yml": pipeline])
            try await room.push()
            try room.add()
            try await room.sync()
            try await room.work.git("tag", "v1.0.0")
            try await room.push()
            try room.prepareBuild(version: "0.9.0", number: 1)
            let runs = try await room.syncAndBuild()
            #expect(runs.map(\.state) == [.failed])
            #expect(
                runs.first?.reason
                    == "build/App.ipa: the build is version “0.9.0”, but the tag v1.0.0 is "
                    + "version 1.0.0"
            )
            #expect(try room.store.apps().isEmpty)
        }
    }

    @Test func `without the folder that it requires a build is skipped, and says so`() async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            try await room.work.commit(
                "Begin",
                [
                    ".ota/pipeline.yml":
                        "requires: ios\nsteps:\n  - run: touch \(room.canary.path())\n"
                ],
            )
            try await room.push()
            try room.add()
            try await room.sync()
            try await room.work.git("tag", "v1.0.0")
            try await room.push()
            let runs = try await room.syncAndBuild()
            #expect(runs.map(\.state) == [.skipped])
            #expect(runs.first?.reason == "no `ios` folder in the commit")
            #expect(room.isQuiet)
        }
    }
}
