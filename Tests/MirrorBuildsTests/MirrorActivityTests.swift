import Foundation
import MirrorBuilds
import Mirrors
import Releases
import Store
import TestSupport
import Testing
import Versions

/// The activity's entries about a mirror's changes and builds.
@Suite struct MirrorActivityTests {
    @Test func `the activity tells what was changed, and of secrets only which`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let actions = MirrorActions(in: room.place, by: "ana")
            let mirror = try room.add()
            func told() throws -> [String?] {
                try room.store.activity(count: 10).filter { $0.event == .mirrorChanged }
                    .map(\.detail)
            }
            var changed = mirror
            changed.interval = 300
            changed.tags = ["v*"].compactMap(ReferencePattern.init)
            changed.pipeline = "steps:\n  - run: \"true\"\n"
            changed.limits.diskBytes = 1 << 30
            try actions.change(mirror, to: changed) { secrets in
                secrets.passwords = "glpat-secret"
                secrets.key = "key-secret"
                secrets.variables = ["API_TOKEN": "value-secret", "OTHER": "kept-secret"]
            }
            let first =
                "tags * → v*, interval none → 300 s, disk limit 20480 MB → 1024 MB, admin's "
                + "pipeline set, credential for https set, SSH key set, variable API_TOKEN set, "
                + "variable OTHER set"
            #expect(try told() == [first])

            try actions.change(changed, to: changed, secrets: nil)
            #expect(try told() == [first], "nothing has changed")

            try actions.change(changed, to: changed) { secrets in
                secrets.passwords = nil
                secrets.key = "another-secret"
                secrets.variables["API_TOKEN"] = nil
            }
            #expect(
                try told().first
                    == "credential for https removed, SSH key replaced, variable API_TOKEN removed"
            )
            let last = try #require(try room.store.activity(count: 1).first)
            #expect(last.deed(app: nil).hasPrefix("changed the mirror app: credential for https"))
            #expect(try told().allSatisfy { $0?.contains("-secret") == false })

            var long = changed
            long.branches = (1...50).compactMap { ReferencePattern("branch/\($0)-of-some-length") }
            try actions.change(changed, to: long, secrets: nil)
            #expect(try told().first??.count == 500)
        }
    }

    @Test func `a build by hand is ascribed to who asked for it, and a push to nobody`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pipeline = "steps:\n  - run: \"true\"\n"
            try await room.work.commit("Begin", [".ota/pipeline.yml": pipeline])
            try await room.push()
            try room.add()
            try await room.sync()
            try await room.work.git("tag", "v1.0.0")
            try await room.push()
            try await room.syncAndBuild()
            try await room.buildByHand { $0.branch = "main" }
            try await room.buildByHand {
                $0.tag = try TagName("v1.0.0")
                $0.isRebuild = true
            }
            let ended = try room.store.activity(count: 10).filter { $0.event == .buildEnded }
            #expect(
                ended.map(\.detail) == [
                    "succeeded; rebuild requested by ana", "succeeded; requested by ana",
                    "succeeded",
                ]
            )
        }
    }
}
