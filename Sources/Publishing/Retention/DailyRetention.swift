package import Essentials
import Releases
package import Store

extension OTAStore {
    /// The hour of the day by Greenwich from which on the server applies rules, once a day.
    package static let retentionHour = 3

    /// When the server applies rules next: at ``retentionHour``.
    ///
    /// - Parameter last: when it did last, or first saw that there are any.
    /// - Returns: a date behind `last`.
    package static func nextRetention(after last: Date) -> Date {
        let day = 86_400.0
        let hour = Double(retentionHour) * 3600
        let begun = ((last.timeIntervalSince1970 - hour) / day).rounded(.down)
        return Date(timeIntervalSince1970: (begun + 1) * day + hour)
    }

    /// Lets rules that are about to change wait for the next ``retentionHour``, also where none were
    /// applied for long.
    ///
    /// - Parameter date: now.
    /// - Throws: ``StoreFailure``.
    package func awaitRetentionHour(from date: Date) throws {
        let now = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        guard let last = try retention().last, last < now else { return }
        try changeRetention { $0.last = max($0.last ?? now, now) }
    }

    /// Continues removals that were interrupted; applies the rules of all apps if that is due, and then
    /// collects what nothing refers to.
    ///
    /// After rules were set or changed, nothing is removed before the next ``retentionHour``, so that
    /// the admin who did it can preview the removal.
    ///
    /// - Parameter date: now.
    /// - Returns: what became of each app from which something went; nil where nothing was due.
    /// - Throws: ``StoreFailure``, also where a document of the store cannot be read; releases whose rules
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
