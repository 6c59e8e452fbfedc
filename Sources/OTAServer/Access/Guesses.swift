import Access
import Foundation
import Synchronization

/// Who has guessed wrong lately, for the whole server.
final class Guesses: Sendable {
    private let limit = Mutex(GuessLimit())

    /// - Throws: ``Refusal/tooManyGuesses(wait:)`` while the address has to wait.
    func check(_ address: String, at date: Date) throws(Refusal) {
        if let wait = limit.withLock({ $0.wait(for: address, at: date) }) {
            throw .tooManyGuesses(wait: Int(wait.rounded(.up)))
        }
    }

    func failed(_ address: String, at date: Date) {
        limit.withLock { $0.fail(address, at: date) }
    }

    func succeeded(_ address: String) {
        limit.withLock { $0.succeed(address) }
    }
}
