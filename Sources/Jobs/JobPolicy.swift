package import Essentials

/// How often jobs are tried.
package struct JobPolicy: Sendable {
    /// Attempts after which a job has failed.
    package var mostAttempts = 8
    /// Seconds between the first attempt and the second; each pause is twice the one before.
    package var firstPause: TimeInterval = 5
    package var longestPause: TimeInterval = 3600

    package init() {}

    /// Seconds to wait after an attempt, the first being 1.
    func pause(after attempt: Int) -> TimeInterval {
        let doublings = min(max(attempt - 1, 0), 20)
        return min(firstPause * Double(1 << doublings), longestPause)
    }
}
