import AppleDeveloper
import Foundation
import Releases
import TeamUpkeep

extension LocalAdministration {
    /// Seconds that a request waits for Apple, which is shorter than the timeout of API clients.
    private static let patience = 50

    /// How calls to Apple are repeated while a request waits for them.
    private static var policy: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = 3
        policy.longestPause = 5
        policy.longestWait = 15
        return policy
    }

    /// Sends requests to Apple, and gives up if they are not answered in time.
    ///
    /// - Parameters:
    ///   - team: the team of the account.
    ///   - ask: sends the requests; receives the account opener and the retry policy.
    /// - Returns: what `ask` returns.
    /// - Throws: `AccountRefusal`, `AppleFailure`, and what `ask` throws.
    func asking<Value: Sendable>(
        _ team: Team,
        _ ask: @escaping @Sendable (AccountOpener, RetryPolicy) async throws -> Value,
    ) async throws -> Value {
        guard team.account != nil else { throw AccountRefusal.none(team.identifier) }
        guard let accounts else { throw AccountRefusal.noKeyFile }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await ask(accounts, Self.policy) }
            group.addTask {
                try await Task.sleep(for: .seconds(Self.patience))
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else {
                throw AppleFailure.tooSlow(seconds: Self.patience)
            }
            return value
        }
    }
}
