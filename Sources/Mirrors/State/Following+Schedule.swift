package import Foundation

extension Following {
    /// Seconds before a repository that could not be fetched is tried again.
    private static let pause = 60.0

    /// Who asks for a look at `date`; nil when nobody does.
    ///
    /// A look that seems to lie ahead was made when the clock was wrong: it counts as long ago, or
    /// nobody would look until that day.
    package func asksForLook(every interval: Int?, at date: Date) -> String? {
        let since = looked.map { date.timeIntervalSince($0) } ?? .infinity
        let age = since < 0 ? .infinity : since
        guard problem == nil || age >= Self.pause else { return nil }
        if isDue { return asker ?? "webhook" }
        guard let interval, age >= Double(interval) else { return nil }
        return "schedule"
    }
}
