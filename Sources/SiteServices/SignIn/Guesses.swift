package import Access
import Bundles
package import Foundation
package import Identifiers
package import Store
import Synchronization

/// Limits guesses of tokens and passphrases, for the whole server.
package final class Guesses: Sendable {
    /// Comparisons at once that are slow and take memory on purpose.
    private static let mostSlow = 3

    private let limit = Mutex(GuessLimit())
    /// Wrong passphrases of each app, over all addresses: those of browsers that knew an earlier one,
    /// and those of all others, who cannot use up what is for the former.
    private let shared: SharedGuesses

    private let slow = Mutex(0)

    /// - Parameter store: of the server; other servers on it count the same guesses.
    package init(in store: OTAStore?) {
        shared = SharedGuesses(.passphrase, in: store)
    }

    /// - Throws: ``Refusal/tooManyGuesses(wait:)`` for who has to wait.
    package func check(_ guesser: Guesser, at date: Date) throws(Refusal) {
        if let wait = limit.withLock({ $0.wait(for: guesser, at: date) }) {
            throw .tooManyGuesses(wait: Int(wait.rounded(.up)))
        }
    }

    /// Counts a passphrase before it is known whether it is right.
    ///
    /// - Throws: ``Refusal/tooManyGuesses(wait:)`` for a client whose turn comes later, and `StoreFailure`.
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

    /// Takes the count back, for a passphrase that was right or was not compared.
    package func forgive(_ app: BundleIdentifier, knewOne: Bool, from address: String) {
        shared.forgive(Self.secret(of: app, knewOne: knewOne), address)
    }

    private static func secret(of app: BundleIdentifier, knewOne: Bool) -> String {
        "\(knewOne ? "known" : "passphrase")-\(app)"
    }

    /// Makes a slow comparison, of which only a few run at a time.
    ///
    /// - Throws: what `body` throws, and ``Refusal/unavailable(_:)`` when too many want one.
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

    /// Counts a wrong token; later guesses of the same guesser have to wait longer.
    package func failed(_ guesser: Guesser, at date: Date) {
        limit.withLock { $0.fail(guesser, at: date) }
    }

    /// Forgets the wrong tokens of a guesser who sent a right one.
    package func succeeded(_ guesser: Guesser) {
        limit.withLock { $0.succeed(guesser) }
    }
}
