package import Access
import Bundles
package import Foundation
package import Identifiers
package import Store
import Synchronization

/// Limits guesses of tokens and passphrases, for the whole server.
package final class Guesses: Sendable {
    /// Passphrase comparisons at once; each is deliberately slow and takes much memory.
    private static let mostSlow = 3

    private let limit = Mutex(GuessLimit())
    /// Wrong passphrases of each app from all addresses.
    ///
    /// Browsers that knew an earlier passphrase are counted separately, so that others cannot use up
    /// their guesses.
    private let shared: SharedGuesses

    private let slow = Mutex(0)

    /// - Parameter store: the server's store; other servers on it count the same guesses.
    package init(in store: OTAStore?) {
        shared = SharedGuesses(.passphrase, in: store)
    }

    /// - Throws: ``Refusal/tooManyGuesses(wait:)`` if the guesser has to wait.
    package func check(_ guesser: Guesser, at date: Date) throws(Refusal) {
        if let wait = limit.withLock({ $0.wait(for: guesser, at: date) }) {
            throw .tooManyGuesses(wait: Int(wait.rounded(.up)))
        }
    }

    /// Counts a passphrase before it is compared.
    ///
    /// - Throws: ``Refusal/tooManyGuesses(wait:)`` if the client has to wait, and `StoreFailure`.
    package func admit(
        to app: BundleIdentifier,
        knewOne: Bool,
        from address: String,
        at date: Date,
    ) throws {
        let wait = try shared.admit(
            to: Self.secret(of: app, knewOne: knewOne),
            from: address,
            at: date,
        )
        if let wait { throw Refusal.tooManyGuesses(wait: max(1, Int(wait.rounded(.up)))) }
    }

    /// Undoes the count for a passphrase that was right or was not compared.
    package func forgive(_ app: BundleIdentifier, knewOne: Bool, from address: String) {
        shared.forgive(Self.secret(of: app, knewOne: knewOne), address)
    }

    private static func secret(of app: BundleIdentifier, knewOne: Bool) -> String {
        "\(knewOne ? "known" : "passphrase")-\(app)"
    }

    /// Runs a slow comparison, of which only a few run at a time.
    ///
    /// - Throws: the error of `body`, and ``Refusal/unavailable(_:)`` if too many are running.
    package func slowly<Result>(_ body: () throws -> Result) throws -> Result {
        let isFree = slow.withLock { running in
            guard running < Self.mostSlow else { return false }
            running += 1
            return true
        }
        guard isFree else { throw Refusal.unavailable("too many passphrases at once") }
        defer { slow.withLock { $0 -= 1 } }
        return try body()
    }

    /// Counts a wrong token; later guesses by the same guesser have to wait longer.
    package func failed(_ guesser: Guesser, at date: Date) {
        limit.withLock { $0.fail(guesser, at: date) }
    }

    /// Clears the wrong tokens of a guesser who sent a right one.
    package func succeeded(_ guesser: Guesser) {
        limit.withLock { $0.succeed(guesser) }
    }
}
