package import Essentials

/// When to check again whether Apple has finished processing something, such as a device.
///
/// After 1, 5 and 30 minutes, and then every hour. Apple holds devices of new accounts for up to 72
/// hours; after that, an admin must act.
package struct ProcessingWait: Sendable {
    /// The maximum waiting time in seconds.
    package static let longest: TimeInterval = 72 * 3600

    private static let first: [TimeInterval] = [60, 5 * 60, 30 * 60]

    /// The time of the next check.
    ///
    /// - Parameters:
    ///   - looks: the number of checks so far.
    ///   - start: when the processing was requested.
    ///   - date: the present.
    /// - Returns: nil when the maximum time has passed.
    package static func next(after looks: Int, since start: Date, at date: Date) -> Date? {
        let pause = looks < first.count ? first[max(looks, 0)] : 3600
        let end = start.addingTimeInterval(longest)
        guard date < end else { return nil }
        return min(date.addingTimeInterval(pause), end)
    }
}
