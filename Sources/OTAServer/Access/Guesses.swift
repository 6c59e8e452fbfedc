import Access
import Foundation
import Synchronization

/// Who has guessed wrong lately, for the whole server.
final class Guesses: Sendable {
    /// Comparisons at once that are slow and take memory on purpose.
    private static let mostSlow = 3

    private let limit = Mutex(GuessLimit())
    private let slow = Mutex(0)

    /// - Throws: ``Refusal/tooManyGuesses(wait:)`` for who has to wait.
    func check(_ guesser: Guesser, at date: Date) throws(Refusal) {
        if let wait = limit.withLock({ $0.wait(for: guesser, at: date) }) {
            throw .tooManyGuesses(wait: Int(wait.rounded(.up)))
        }
    }

    /// Makes a slow comparison, of which only a few run at a time.
    ///
    /// - Throws: what `body` throws, and ``Refusal/unavailable(_:)`` when too many want one.
    func slowly<Result>(_ body: () throws -> Result) throws -> Result {
        let isFree = slow.withLock { running in
            guard running < Self.mostSlow else { return false }
            running += 1
            return true
        }
        guard isFree else { throw Refusal.unavailable("too many passphrases at once") }
        defer { slow.withLock { $0 -= 1 } }
        return try body()
    }

    func failed(_ guesser: Guesser, at date: Date) {
        limit.withLock { $0.fail(guesser, at: date) }
    }

    func succeeded(_ guesser: Guesser) {
        limit.withLock { $0.succeed(guesser) }
    }
}
