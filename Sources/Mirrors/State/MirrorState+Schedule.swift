package import Essentials

extension MirrorState {
    /// Seconds before a repository that could not be fetched is fetched again.
    private static let pause = 60.0

    /// The requester of a sync at `date`; nil if no sync is due.
    ///
    /// A last sync in the future was dated by a wrong clock: it counts as long ago, because otherwise the
    /// mirror would not be synced until that date.
    package func asksForSync(every interval: Int?, at date: Date) -> String? {
        let since = synced.map { date.timeIntervalSince($0) } ?? .infinity
        let age = since < 0 ? .infinity : since
        guard problem == nil || age >= Self.pause else { return nil }
        if isDue { return asker ?? "webhook" }
        guard let interval, age >= Double(interval) else { return nil }
        return "schedule"
    }
}
