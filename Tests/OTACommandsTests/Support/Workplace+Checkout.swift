import Foundation
import TestSupport
import Testing

extension Workplace {
    /// Runs a test with a repository in `app`; its first commit has a message that no shell must run.
    static func withCheckout(
        _ body: (Workplace, TestRepository) async throws -> Void
    ) async throws {
        try await run { place in
            let repository = try await TestRepository(at: place.folder.appending(path: "app"))
            try await repository.commit("It's a \"start\" $(touch canary) `touch canary`")
            try await body(place, repository)
            #expect(!place.isThere("canary") && !place.isThere("app/canary"))
        }
    }
}
