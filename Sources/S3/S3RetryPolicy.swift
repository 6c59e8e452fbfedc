package import Essentials
import Synchronization

/// How often a request is tried, and how long to wait between attempts.
package struct S3RetryPolicy: Sendable {
    /// The most attempts.
    package var attempts = 6
    /// The longest pause in seconds before the second attempt; it doubles with each further one.
    package var firstPause: TimeInterval = 0.1
    /// The longest pause, in seconds.
    package var longestPause: TimeInterval = 5
    /// Seconds after which no further attempt starts.
    package var longestCall: TimeInterval = 60
    /// The timeout in seconds, in addition to the time for a body.
    package var answering = 20
    /// The bytes per second of a body that count as slow but alive; `Int.max` allows a body no time of its own.
    package var slowest = 256 << 10

    package init() {}

    /// Returns the pause before the next attempt.
    ///
    /// - Parameters:
    ///   - attempt: the number of the failed attempt, from 1.
    ///   - passed: the seconds since the first attempt started.
    ///   - random: at least 0 and below 1, so that several clients do not retry at the same time.
    /// - Returns: the pause in seconds; nil for no further attempt.
    func pause(after attempt: Int, passed: TimeInterval, random: Double) -> TimeInterval? {
        guard attempt < attempts else { return nil }
        let doubled = firstPause * TimeInterval(1 << min(max(attempt - 1, 0), 16))
        // Between half of it and all of it.
        let pause = min(doubled, longestPause) * (0.5 + random / 2)
        return passed + pause < longestCall ? pause : nil
    }

    /// The timeout in seconds for a request or response with a body of this size.
    func seconds(for bytes: Int) -> Int { answering + bytes / slowest }
}

/// The budget of a client for retries, so that an overloaded store does not get several times as many
/// requests: a retry costs 5, and a success at the first attempt adds 1.
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
