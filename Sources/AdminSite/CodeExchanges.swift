import Access
import SiteServices
import Synchronization

/// Bounds how many codes the server asks the provider about at the same time.
final class CodeExchanges: Sendable {
    /// Of one network: an office in which everyone signs in at nine is one.
    private static let mostOfOne = 16
    private static let most = 64

    private let running = Mutex<[Guesser: Int]>([:])

    /// - Throws: ``Refusal/unavailable(_:)`` where too many are running.
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
