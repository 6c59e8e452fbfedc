package import Essentials

/// Slows down guessing: after a few wrong answers a client has to wait, longer each time.
///
/// Memory is limited; if it is full, the clients with the least recent failures are forgotten first.
package struct GuessLimit: Sendable {
    /// The number of wrong answers without a wait.
    private static let free = 5
    private static let greatestWait: TimeInterval = 900
    private static let mostGuessers = 4096

    private struct Record {
        var failures: Int
        var until: Date
    }

    private var records: [Guesser: Record] = [:]

    package init() {}

    /// The number of clients that are remembered.
    package var count: Int { records.count }

    /// Returns the seconds to wait; nil if the client may try.
    package func wait(for guesser: Guesser, at date: Date) -> TimeInterval? {
        guard let record = records[guesser], record.failures > Self.free, record.until > date else {
            return nil
        }
        return record.until.timeIntervalSince(date)
    }

    /// Records a wrong answer.
    package mutating func fail(_ guesser: Guesser, at date: Date) {
        if records[guesser] == nil, records.count >= Self.mostGuessers { forgetHalf() }
        let failures = (records[guesser]?.failures ?? 0) + 1
        let excess = max(0, failures - Self.free)
        let wait = min(Self.greatestWait, TimeInterval(1 << min(excess, 12)))
        records[guesser] = Record(failures: failures, until: date.addingTimeInterval(wait))
    }

    /// Records a right answer.
    package mutating func succeed(_ guesser: Guesser) {
        records[guesser] = nil
    }

    private mutating func forgetHalf() {
        let lasting = records.sorted { $0.value.until > $1.value.until }
        records = Dictionary(
            uniqueKeysWithValues: lasting.prefix(Self.mostGuessers / 2).map { ($0.key, $0.value) }
        )
    }
}
