package import Essentials

/// How often a request is tried, and how long to wait in between.
///
/// Apple answers 429 while thousands of requests remain, and 500, 502 and 504 now and then; both pass.
/// A failure that outlasts these bounds is thrown, and the caller tries again later.
package struct RetryPolicy: Sendable {
    /// How many times one request is sent at most.
    package var attempts = 6
    /// Seconds before the second attempt; each further one waits twice as long.
    package var firstPause: TimeInterval = 1
    /// The longest pause of ours, in seconds.
    package var longestPause: TimeInterval = 60
    /// The longest wait that Apple may ask for before the request is left for later, in seconds.
    package var longestWait: TimeInterval = 120
    /// Seconds after which the account is searched for a resource that a failed request may have created:
    /// the first answers after a change can be stale.
    package var looks: [TimeInterval] = [0, 2, 5]

    package init() {}

    /// What came of one attempt.
    enum Outcome: Equatable {
        /// Too many requests; seconds that Apple asks to wait for, where it says so.
        case rateLimited(retryAfter: TimeInterval?)
        /// No answer, or one of a broken server.
        case failed
    }

    /// How long to wait before the next attempt.
    ///
    /// - Parameters:
    ///   - outcome: the result of the attempt.
    ///   - attempt: its number, from 1.
    ///   - random: at least 0 and below 1, so that several clients do not come back together.
    /// - Returns: seconds; nil for no further attempt.
    func pause(after outcome: Outcome, attempt: Int, random: Double) -> TimeInterval? {
        guard attempt < attempts else { return nil }
        let doubled = firstPause * TimeInterval(1 << min(max(attempt - 1, 0), 16))
        // Between a half and the whole of it.
        let own = min(doubled, longestPause) * (0.5 + random / 2)
        guard case .rateLimited(let asked?) = outcome else { return own }
        guard asked <= longestWait else { return nil }
        // Never before the time that Apple asks for.
        return asked + min(own, firstPause)
    }
}
