package import Foundation

/// Which of an item's reminders were given, and what the clock said then.
///
/// Every threshold is notified once. After a pause only the most urgent one is. What a clock that ran
/// ahead had notified, on a day that has not come again, counts as not notified: the real end is never
/// passed over in silence.
package struct Reminders: Codable, Sendable, Equatable {
    /// Days before the end; 0 is the end itself.
    package static let thresholds = [30, 14, 7, 3, 1, 0]

    /// A clock that is set back by less brings nothing back.
    private static let slack: TimeInterval = 2 * 86_400

    private(set) var told: [Int: Date] = [:]

    package init() {}

    /// The threshold to notify at `date`; nil when there is none.
    ///
    /// What lives no longer than a threshold is not notified at it: a token for a day would be
    /// reported as soon as it is made.
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
