import Essentials

/// A month by Greenwich, which names a journal: `2026-11`.
struct JournalMonth: Comparable {
    let text: String

    init(of date: Date) {
        // ISO 8601 begins with the year and the month.
        text = String(date.formatted(.iso8601).prefix(7))
    }

    /// The month that a journal is named for; nil for the name of anything else.
    init?(journal name: String) {
        guard name.hasSuffix(Self.suffix) else { return nil }
        text = String(name.dropLast(Self.suffix.count))
    }

    /// The journal of this month.
    var journal: String { text + Self.suffix }

    static func < (left: JournalMonth, right: JournalMonth) -> Bool { left.text < right.text }

    static let suffix = ".jsonl"
    /// What the name of the file ends in that has the lines which could not be read.
    static let unreadableSuffix = ".jsonl.unreadable"
}
