import Access
import SiteServices
import Synchronization

/// Limits how many authorization codes the server exchanges with the provider at the same time.
final class CodeExchanges: Sendable {
    /// The most exchanges of one network, such as an office where everyone signs in at nine.
    private static let mostOfOne = 16
    private static let most = 64

    private let running = Mutex<[Guesser: Int]>([:])

    /// - Throws: ``Refusal/unavailable(_:)`` if too many are running.
    func begin(by guesser: Guesser) throws(Refusal) {
        let isFree = running.withLock { running in
            let own = running[guesser] ?? 0
            guard own < Self.mostOfOne, running.values.reduce(0, +) < Self.most else {
                return false
            }
            running[guesser] = own + 1
            return true
        }
        guard isFree else { throw .unavailable("too many sign-ins at once") }
    }

    func end(by guesser: Guesser) {
        running.withLock { running in
            let left = (running[guesser] ?? 1) - 1
            running[guesser] = left > 0 ? left : nil
        }
    }
}
