package import Essentials

extension MirrorState {
    /// Seconds before a repository that could not be fetched is tried again.
    private static let pause = 60.0

    /// Who asks for a sync at `date`; nil when no sync is due.
    ///
    /// A sync that seems to lie in the future was made while the clock was wrong: it counts as long ago,
    /// or the mirror would not be synced until that day.
    package func asksForSync(every interval: Int?, at date: Date) -> String? {
        let since = synced.map { date.timeIntervalSince($0) } ?? .infinity
        let age = since < 0 ? .infinity : since
        guard problem == nil || age >= Self.pause else { return nil }
        if isDue { return asker ?? "webhook" }
        guard let interval, age >= Double(interval) else { return nil }
        return "schedule"
    }
}
