package import Essentials

/// How often jobs are attempted.
package struct JobPolicy: Sendable {
    /// The number of attempts after which a job has failed.
    package var mostAttempts = 8
    /// Seconds between the first attempt and the second; each pause is twice the previous one.
    package var firstPause: TimeInterval = 5
    package var longestPause: TimeInterval = 3600
    /// Seconds for which a job in a developer account is attempted, in any number of attempts: pending
    /// agreements, rate limits and Apple's outages last for hours and days.
    package var longestAtApple: TimeInterval = 72 * 3600
    /// Seconds between the starts of two jobs in the same developer account.
    package var distanceAtApple: TimeInterval = 1

    package init() {}

    /// Seconds to wait after an attempt, the first being 1.
    func pause(after attempt: Int) -> TimeInterval {
        let doublings = min(max(attempt - 1, 0), 20)
        return min(firstPause * Double(1 << doublings), longestPause)
    }
}
