import Foundation
import TestSupport
import Testing

/// `ota mirror sync`, while somebody else is at it.
@Suite(.timeLimit(.minutes(10)))
struct MirrorSyncTests {
    /// A running server looks at a new mirror as soon as it is there, and `mirror add` does too.
    @Test func `a look waits for the one that goes on`() async throws {
        try await Workplace.run { place in
            let repository = try await TestRepository(at: place.folder.appending(path: "app"))
            try await repository.commit("Begin", ["README": "one"])
            _ = try await place.json("mirror", "add", "app", repository.path, "--allow-file")
            let path = place.folder.appending(path: "ota-store/mirrors/app.fetch.lock").path()
            let lock = unsafe open(path, O_RDWR | O_CLOEXEC)
            try #require(lock >= 0, "\(path)")
            try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
            let sync = try place.start("mirror", "sync", "app")
            let errors = place.folder.appending(path: "errors")
            for _ in 0..<600 {
                let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
                if said.contains("Waiting for another look at app") { break }
                try await Task.sleep(for: .milliseconds(100))
            }
            close(lock)
            #expect(try await sync.status() == 0)
            let said = try String(contentsOf: errors, encoding: .utf8)
            #expect(said.ranges(of: "Waiting for another look at app").count == 1, "\(said)")
        }
    }
}
