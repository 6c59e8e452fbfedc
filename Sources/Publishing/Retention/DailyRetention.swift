package import Essentials
import Releases
package import Store

extension OTAStore {
    /// The hour of the day in UTC at which the server applies rules, once a day.
    package static let retentionHour = 3

    /// When the server applies rules next: at ``retentionHour``.
    ///
    /// - Parameter last: when it last applied them, or first noticed that there are rules.
    /// - Returns: a date after `last`.
    package static func nextRetention(after last: Date) -> Date {
        let day = 86_400.0
        let hour = Double(retentionHour) * 3600
        let begun = ((last.timeIntervalSince1970 - hour) / day).rounded(.down)
        return Date(timeIntervalSince1970: (begun + 1) * day + hour)
    }

    /// Delays rules that are about to change until the next ``retentionHour``, even if none were applied
    /// for a long time.
    ///
    /// - Parameter date: the current time.
    /// - Throws: ``StoreFailure``.
    package func awaitRetentionHour(from date: Date) throws {
        let now = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        guard let last = try retention().last, last < now else { return }
        try changeRetention { $0.last = max($0.last ?? now, now) }
    }

    /// Continues interrupted removals, applies the rules of all apps if that is due, and then
    /// garbage-collects blobs.
    ///
    /// After rules were set or changed, nothing is removed before the next ``retentionHour``, so that the
    /// admin who did it can preview the removal.
    ///
    /// - Parameter date: the current time.
    /// - Returns: the result for each app from which something was removed; nil if nothing was due.
    /// - Throws: ``StoreFailure``, also if a document of the store cannot be read; releases whose rules
    ///   were not applied stay.
    package func applyDueRetention(at date: Date) throws -> [Retention.Outcome]? {
        let work = Retention(in: self, by: ChannelCloser.server, at: date)
        try work.resume()
        let ruled = try apps().filter { try !retentionRules(of: $0).keepsEverything }
        guard !ruled.isEmpty else { return nil }
        let now = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        guard let last = try retention().last else {
            try changeRetention { $0.last = $0.last ?? now }
            return nil
        }
        guard Self.nextRetention(after: last) <= date else { return nil }
        let outcomes = try work.apply(to: ruled)
        try changeRetention { $0.last = now }
        _ = try collect()
        return outcomes.filter { !$0.removed.isEmpty }
    }
}
