package import Foundation

/// The reminders that were sent about an item, and when, by the clock at that time.
///
/// Each threshold is reported once. After a pause only the most urgent one is. A reminder that was dated by
/// a clock ahead of time, on a day that has not come yet, counts as not sent: the real expiry is never
/// passed over in silence.
package struct Reminders: Codable, Sendable, Equatable {
    /// Days before the expiry; 0 is the expiry itself.
    package static let thresholds = [30, 14, 7, 3, 1, 0]

    /// Seconds by which a clock may be set back without reminders counting as not sent.
    private static let slack: TimeInterval = 2 * 86_400

    private(set) var told: [Int: Date] = [:]

    package init() {}

    /// The threshold that is due at `date`; nil if there is none.
    ///
    /// An item whose lifetime is not longer than a threshold is not reported at it: otherwise a token for a
    /// day would be reported as soon as it is created.
    package func due(begins: Date, expires: Date, at date: Date) -> Int? {
        let left = expires.timeIntervalSince(date)
        let reached = Self.thresholds.last { left <= TimeInterval($0) * 86_400 }
        guard let reached else { return nil }
        let lifetime = expires.timeIntervalSince(begins)
        guard reached == 0 || lifetime > TimeInterval(reached) * 86_400 else { return nil }
        let isPast = told.contains { threshold, when in
            threshold <= reached && when <= date.addingTimeInterval(Self.slack)
        }
        return isPast ? nil : reached
    }

    package mutating func tell(_ threshold: Int, at date: Date) {
        told[threshold] = date
    }
}
