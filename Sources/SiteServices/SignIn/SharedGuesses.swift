package import Access
package import Foundation
package import Store
import Synchronization

/// Counts the guesses at each secret by all clients together, on all servers.
///
/// A single server counts them in memory. If servers share a store on another machine, a document of the
/// store counts each guess before it is compared, so that a client gets no more guesses from three
/// servers than from one.
package final class SharedGuesses: Sendable {
    private let policy: SharedGuessLimit.Policy
    /// nil if there is only one server.
    private let store: OTAStore?
    private let inMemory = Mutex<[String: SharedGuessLimit]>([:])

    /// - Parameters:
    ///   - policy: the number of guesses that are allowed.
    ///   - store: the server's store, which may count the guesses.
    package init(_ policy: SharedGuessLimit.Policy, in store: OTAStore?) {
        self.policy = policy
        self.store = store?.isElsewhere == true ? store : nil
    }

    /// Counts a guess before it is compared.
    ///
    /// - Parameters:
    ///   - secret: the secret's name, as a part of a document's name.
    ///   - address: the address that the guess comes from.
    ///   - date: the current time.
    /// - Returns: nil if the guess is allowed, and otherwise how many seconds to wait.
    /// - Throws: `StoreFailure` if the guess cannot be counted; it must not be compared then.
    package func admit(
        to secret: String,
        from address: String,
        at date: Date,
    ) throws -> TimeInterval? {
        try change(secret) { $0.admit(from: address, at: date) }
    }

    /// Undoes the count of a guess that was right or was not compared.
    package func forgive(_ secret: String, _ address: String) {
        // If the store does not answer, the count stays, which is the safe side.
        try? change(secret) { $0.forgive(address) }
    }

    private func change<Result: Sendable>(
        _ secret: String,
        _ change: (inout SharedGuessLimit) -> Result,
    ) throws -> Result {
        guard let store else {
            return inMemory.withLock {
                change(&$0[secret, default: SharedGuessLimit(policy)])
            }
        }
        var result: Result?
        try store.changeGuesses(at: secret) { memory in
            var limit = SharedGuessLimit(policy, remembering: memory)
            result = change(&limit)
            memory = limit.memory
        }
        guard let result else { throw StoreFailure.missing(path: secret) }
        return result
    }
}
