import Foundation
import TestSupport
import Testing

/// `ota mirror logs`, with what builds print.
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
}
