package import Access
package import Foundation
package import Store
import Synchronization

/// How often secrets are guessed at by all clients together, on whichever server they do it.
///
/// One server keeps that in memory. Where servers share a store on another machine, a document of the store
/// counts each guess before it is read, so that a client gets no more of them from three servers than from
/// one.
package final class SharedGuesses: Sendable {
    private let policy: SharedGuessLimit.Policy
    /// nil where there is one server.
    private let store: OTAStore?
    private let inMemory = Mutex<[String: SharedGuessLimit]>([:])

    /// - Parameters:
    ///   - policy: what is allowed.
    ///   - store: of the server, whose guesses are counted.
    package init(_ policy: SharedGuessLimit.Policy, in store: OTAStore?) {
        self.policy = policy
        self.store = store?.isElsewhere == true ? store : nil
    }

    /// Counts a guess before it is known whether it is right.
    ///
    /// - Parameters:
    ///   - secret: what is guessed at, as a part of a document's name.
    ///   - address: where the guess comes from.
    ///   - date: now.
    /// - Returns: nil for a guess that counts, and otherwise how many seconds to wait.
    /// - Throws: `StoreFailure` where the guess cannot be counted: it must not be read then.
    package func admit(
        to secret: String,
        from address: String,
        at date: Date,
    ) throws -> TimeInterval? {
        try change(secret) { $0.admit(from: address, at: date) }
    }

    /// Takes a guess back, for it was right or was not compared.
    package func forgive(_ secret: String, _ address: String) {
        // A store that has just gone silent keeps the count, which is the safe side.
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
