package import Foundation

/// Slows those who guess: after a few wrong answers an address waits, longer each time.
///
/// Memory is bounded; when strangers fill it, those forgotten first are those that failed least
/// lately.
package struct GuessLimit: Sendable {
    /// Wrong answers that cost nothing.
    private static let free = 5
    private static let greatestWait: TimeInterval = 900
    private static let mostAddresses = 4096

    private struct Record {
        var failures: Int
        var until: Date
    }

    private var records: [String: Record] = [:]

    package init() {}

    /// Addresses that it remembers.
    package var count: Int { records.count }

    /// Seconds that the address has to wait; nil when it may try.
    package func wait(for address: String, at date: Date) -> TimeInterval? {
        guard let record = records[address], record.failures > Self.free, record.until > date else {
            return nil
        }
        return record.until.timeIntervalSince(date)
    }

    /// Notes a wrong answer.
    package mutating func fail(_ address: String, at date: Date) {
        if records[address] == nil, records.count >= Self.mostAddresses { forgetHalf() }
        let failures = (records[address]?.failures ?? 0) + 1
        let excess = max(0, failures - Self.free)
        let wait = min(Self.greatestWait, TimeInterval(1 << min(excess, 12)))
        records[address] = Record(failures: failures, until: date.addingTimeInterval(wait))
    }

    /// Notes a right answer.
    package mutating func succeed(_ address: String) {
        records[address] = nil
    }

    private mutating func forgetHalf() {
        let lasting = records.sorted { $0.value.until > $1.value.until }
        records = Dictionary(
            uniqueKeysWithValues: lasting.prefix(Self.mostAddresses / 2).map { ($0.key, $0.value) }
        )
    }
}
