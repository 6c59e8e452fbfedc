package import Essentials
import Synchronization

/// How often a request is tried, and how long to wait in between.
package struct S3RetryPolicy: Sendable {
    /// How many times one request is sent at most.
    package var attempts = 6
    /// Seconds before the second attempt at most; each further one waits up to twice as long.
    package var firstPause: TimeInterval = 0.1
    /// The longest pause, in seconds.
    package var longestPause: TimeInterval = 5
    /// Seconds after which no further attempt is made.
    package var longestCall: TimeInterval = 60
    /// Seconds for an answer, besides those for a body at 256 KB a second.
    package var answering = 20

    package init() {}

    /// How long to wait before the next attempt.
    ///
    /// - Parameters:
    ///   - attempt: the number of the one that failed, from 1.
    ///   - passed: seconds since the first one began.
    ///   - random: at least 0 and below 1: several clients must not come back together.
    /// - Returns: seconds; nil for no further attempt.
    func pause(after attempt: Int, passed: TimeInterval, random: Double) -> TimeInterval? {
        guard attempt < attempts else { return nil }
        let doubled = firstPause * TimeInterval(1 << min(max(attempt - 1, 0), 16))
        // Between a half and the whole of it.
        let pause = min(doubled, longestPause) * (0.5 + random / 2)
        return passed + pause < longestCall ? pause : nil
    }

    /// Seconds within which an answer must have come to a request with a body, or for one.
    func seconds(for bytes: Int) -> Int { answering + bytes / (256 << 10) }
}

/// What all requests of one client may spend on further attempts, so that a store which is overloaded is
/// not asked several times as often: a further attempt takes 5 out, and a first success puts 1 in.
final class S3RetryBudget: Sendable {
    private static let most = 500
    private static let price = 5
    private let left = Mutex(most)

    func take() -> Bool {
        left.withLock { left in
            guard left >= Self.price else { return false }
            left -= Self.price
            return true
        }
    }

    func put() { left.withLock { $0 = min($0 + 1, Self.most) } }
}
