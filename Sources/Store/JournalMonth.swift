import Essentials

/// A calendar month in GMT, which names a journal: `2026-11`.
struct JournalMonth: Comparable {
    let text: String

    init(of date: Date) {
        // ISO 8601 begins with the year and the month.
        text = String(date.formatted(.iso8601).prefix(7))
    }

    /// The month of a journal's name; nil for any other name.
    init?(journal name: String) {
        guard name.hasSuffix(Self.suffix) else { return nil }
        text = String(name.dropLast(Self.suffix.count))
    }

    /// The name of this month's journal.
    var journal: String { text + Self.suffix }

    static func < (left: JournalMonth, right: JournalMonth) -> Bool { left.text < right.text }

    static let suffix = ".jsonl"
    /// The suffix of the file with the lines of a journal that could not be read.
    static let unreadableSuffix = ".jsonl.unreadable"
}
