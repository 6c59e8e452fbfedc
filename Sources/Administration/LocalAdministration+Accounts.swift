import AppleDeveloper
import Foundation
import Releases
import TeamUpkeep

extension LocalAdministration {
    /// Seconds that a request waits for Apple: less than the clients of the API wait for an answer.
    private static let patience = 50

    /// How often a call to Apple is repeated while a request waits for it.
    private static var policy: RetryPolicy {
        var policy = RetryPolicy()
        policy.attempts = 3
        policy.longestPause = 5
        policy.longestWait = 15
        return policy
    }

    /// Asks Apple something, and gives up on what is not answered in time.
    ///
    /// - Parameters:
    ///   - team: whose account is asked.
    ///   - ask: gets what opens the account, and how often to try.
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
