import Foundation
import TestSupport
import Testing

/// `ota mirror logs`, with the output of builds.
@Suite(.timeLimit(.minutes(10)))
struct MirrorLogTests {
    @Test func `lines end as they do elsewhere, and nothing steers the terminal`() async throws {
        try await Workplace.run { place in
            let repository = try await TestRepository(at: place.folder.appending(path: "app"))
            try await repository.commit(
                "Begin",
                [
                    ".ota/pipeline.yml":
                        "steps:\n  - run: printf 'one\\r\\ntwo\\tthree\\033[2J\\r\\n'\n"
                ],
            )
            _ = try await place.json("mirror", "add", "app", repository.path, "--allow-file")
            _ = try await place.json("mirror", "build", "app", "--branch", "main")
            let log = try await place.ota("mirror", "logs", "app").output
            #expect(log.contains("\none\ntwo\tthree\u{FFFD}[2J\n"), "\(log)")
        }
    }

    // Options: mirror show: builds
    @Test func `as many builds are shown as are asked for`() async throws {
        try await Workplace.run { place in
            let repository = try await TestRepository(at: place.folder.appending(path: "app"))
            try await repository.commit("Begin", [".ota/pipeline.yml": "steps:\n  - run: true\n"])
            _ = try await place.json("mirror", "add", "app", repository.path, "--allow-file")
            for _ in 1...3 {
                _ = try await place.json("mirror", "build", "app", "--branch", "main", "--no-sync")
            }
            let two = try await place.json("mirror", "show", "app", "--builds", "2")
            let all = try await place.json("mirror", "show", "app")
            #expect(two["builds"].items.count == 2)
            #expect(all["builds"].items.count >= 3)
            let none = try await place.ota("mirror", "show", "app", "--builds", "0")
            #expect(none.status == 64)
        }
    }
}
