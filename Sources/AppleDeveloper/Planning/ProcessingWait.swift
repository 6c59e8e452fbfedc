package import Essentials

/// When to look again for what Apple has not finished with, such as a device that it is processing.
///
/// After 1, 5 and 30 minutes, and then every hour; Apple puts devices of new accounts on hold for up to 72
/// hours, so after that it is for a person.
package struct ProcessingWait: Sendable {
    /// The longest that it is waited for.
    package static let longest: TimeInterval = 72 * 3600

    private static let first: [TimeInterval] = [60, 5 * 60, 30 * 60]

    /// The next look.
    ///
    /// - Parameters:
    ///   - looks: how many there were.
    ///   - start: when it was asked for.
    ///   - date: now.
    /// - Returns: nil when it has been waited for long enough.
    package static func next(after looks: Int, since start: Date, at date: Date) -> Date? {
        let pause = looks < first.count ? first[max(looks, 0)] : 3600
        let end = start.addingTimeInterval(longest)
        guard date < end else { return nil }
        return min(date.addingTimeInterval(pause), end)
    }
}
