package import Essentials

/// The number and intervals of retries.
///
/// Apple responds with 429 while thousands of requests remain, and occasionally with 500, 502 and 504;
/// all of these are temporary. A failure that outlasts these limits is thrown, and the caller tries again
/// later.
package struct RetryPolicy: Sendable {
    /// The maximum number of times that a request is sent.
    package var attempts = 6
    /// The pause before the second attempt in seconds; it doubles for each further one.
    package var firstPause: TimeInterval = 1
    /// The maximum pause between attempts in seconds.
    package var longestPause: TimeInterval = 60
    /// The maximum time in seconds that Apple may ask to wait before the request fails.
    package var longestWait: TimeInterval = 120
    /// The pauses in seconds before each search for a resource that a failed request may have created:
    /// the first results after a change can be stale.
    package var looks: [TimeInterval] = [0, 2, 5]

    package init() {}

    /// The result of one attempt.
    enum Outcome: Equatable {
        /// Too many requests, with the seconds that Apple asks to wait, if given.
        case rateLimited(retryAfter: TimeInterval?)
        /// No response, or a server error.
        case failed
    }

    /// The pause before the next attempt.
    ///
    /// - Parameters:
    ///   - outcome: the result of the attempt.
    ///   - attempt: its number, from 1.
    ///   - random: from 0 to below 1, so that several clients do not retry at the same time.
    /// - Returns: seconds; nil for no further attempt.
    func pause(after outcome: Outcome, attempt: Int, random: Double) -> TimeInterval? {
        guard attempt < attempts else { return nil }
        let doubled = firstPause * TimeInterval(1 << min(max(attempt - 1, 0), 16))
        // Between half of the pause and the whole pause.
        let own = min(doubled, longestPause) * (0.5 + random / 2)
        guard case .rateLimited(let asked?) = outcome else { return own }
        guard asked <= longestWait else { return nil }
        // Never before the time that Apple asked for.
        return asked + min(own, firstPause)
    }
}
