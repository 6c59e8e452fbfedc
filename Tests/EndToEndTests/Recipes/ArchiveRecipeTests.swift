import Foundation
import Phone
import PropertyLists
import TestSupport
import Testing

/// The recipes from the archive on a Mac without ota to the phone.
///
/// The project in the repository has version 1.0 and build number 1.
@Suite(.timeLimit(.minutes(10)))
struct ArchiveRecipeTests {
    @Test(arguments: RecipeSystem.allCases)
    func `a tag is archived under its version and lands on the phone`(
        system: RecipeSystem
    ) async throws {
        try await RecipeRoom.run { room in
            var room = room
            room.archives = true
            let run = try await system.run(.tag("v1.4.0"), in: room)
            try #require(run.hasPassed, "\(run.log)")
            let stored = try #require(try room.releases().first)
            #expect(stored.version == "1.4.0" && stored.build == "24" && stored.tag == "v1.4.0")
            #expect(stored.channel == "stable")
            let app = try InstalledApp(await room.phone().bytes(from: #require(run.link)))
            #expect(app.info("CFBundleShortVersionString")?.string == "1.4.0")
            #expect(app.info("CFBundleVersion")?.string == "24")

            // A branch build has the newest version before it, and its own build number.
            let branch = try await system.run(.branch("main"), in: room)
            try #require(branch.hasPassed, "\(branch.log)")
            let dev = try #require(try room.releases().first { $0.channel == "dev" })
            #expect(dev.version == "9.9.9" && dev.build == "26" && dev.tag == nil)
            #expect(room.isUntouched)
        }
    }

    @Test func `a shallow clone is not archived, and the log says what to set`() async throws {
        try await RecipeRoom.run { room in
            for system in RecipeSystem.allCases {
                var room = room
                (room.archives, room.isShallow) = (true, true)
                let run = try await system.run(.tag("v1.4.0"), in: room)
                #expect(!run.hasPassed && run.link == nil)
                #expect(run.log.contains("version.sh: this clone lacks part"), "\(run.log)")
                for setting in ["fetch-depth: 0", "GIT_DEPTH: 0", "git fetch --unshallow --tags"] {
                    #expect(run.log.contains(setting), "\(run.log)")
                }
                #expect(!run.log.contains("ARCHIVE SUCCEEDED"))
                #expect(try room.releases().isEmpty)
            }
        }
    }

    @Test func `Xcode Cloud archives under the tag's version and publishes with curl`() async throws
    {
        try await RecipeRoom.run { room in
            let run = try await XcodeCloudJob(room: room).run(.tag("v1.4.0"))
            try #require(run.hasPassed, "\(run.log)")
            let stored = try #require(try room.releases().first)
            #expect(stored.version == "1.4.0" && stored.build == "4711" && stored.tag == "v1.4.0")
            #expect(stored.channel == "stable")
            #expect(try await stored.commit == room.commit(of: .tag("v1.4.0")))
            #expect(stored.notes.hasSuffix("- Scan two codes at once"))
            #expect(room.isUntouched)
            let app = try InstalledApp(await room.phone().bytes(from: #require(run.link)))
            #expect(app.info("CFBundleShortVersionString")?.string == "1.4.0")
            #expect(!run.log.contains(room.token))

            // A branch build has the newest version before it.
            let branch = try await XcodeCloudJob(room: room).run(.branch("main"))
            try #require(branch.hasPassed, "\(branch.log)")
            let dev = try #require(try room.releases().first { $0.channel == "dev" })
            #expect(dev.version == "9.9.9" && dev.tag == nil)
        }
    }

    @Test func `what Xcode Cloud may not publish fails with the server's reason`() async throws {
        try await RecipeRoom.run { room in
            var room = room
            room.trustsServer = false
            let untrusted = try await XcodeCloudJob(room: room).run(.tag("v1.4.0"))
            #expect(!untrusted.hasPassed && untrusted.log.contains("was not published"))
            #expect(try room.releases().isEmpty)
        }
    }

    @Test func `no process of Xcode Cloud's scripts has the token among its arguments`()
        async throws
    {
        try await RecipeRoom.run { room in
            var room = room
            let trace = room.folder.appending(path: "trace")
            room.tracer = [
                "strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=execve", "-s", "100000",
                "-A", "-o", trace.path(),
            ]
            let run = try await XcodeCloudJob(room: room).run(.tag("v1.4.0"))
            #expect(run.hasPassed, "\(run.log)")
            let started = try String(contentsOf: trace, encoding: .utf8)
            #expect(started.contains("/api/v1/uploads") && !started.contains(room.token))
        }
    }
}
