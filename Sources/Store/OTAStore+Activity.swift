package import Essentials
package import Releases

extension OTAStore {
    /// Adds what happened to the journal of its month; one short write, whatever is there already.
    package func record(_ activity: Activity) throws(StoreFailure) {
        try record(activity, unless: [])
    }

    /// Adds what happened recently unless the journal of its month has it already: for what is done again
    /// because the first attempt ended before it was in the journal.
    ///
    /// Months that are over may have been moved away, so that only the last week is checked.
    package func recordIfMissing(
        _ activity: Activity,
        or other: Activity? = nil,
        at now: Date,
    ) throws(StoreFailure) {
        guard now.timeIntervalSince(activity.date) < 7 * 86_400 else { return }
        try record(activity, unless: [activity] + [other].compactMap(\.self))
    }

    /// What a change of a document adds to the journal: activities of one moment, so that one journal
    /// has them all; nil for none.
    static func entry(of activities: [Activity]) throws(StoreFailure) -> JournalEntry? {
        guard let first = activities.first else { return nil }
        return try entry(first, activities.dropFirst())
    }

    /// What a change that is one activity, or several of one moment, adds to the journal.
    static func entry(
        _ first: Activity,
        _ others: ArraySlice<Activity> = [],
    ) throws(StoreFailure) -> JournalEntry {
        let journal = DocumentName.activity(JournalMonth(of: first.date))
        return JournalEntry(
            journal: journal,
            lines: try ([first] + others).map { activity throws(StoreFailure) in
                try DocumentCoding.line(activity, for: journal)
            },
        )
    }

    /// Whether the journal of its month has exactly this; reads the month.
    func isRecorded(_ activity: Activity) throws(StoreFailure) -> Bool {
        let journal = DocumentName.activity(JournalMonth(of: activity.date))
        let line = try DocumentCoding.line(activity, for: journal)
        return try backend.lines(of: journal).contains { $0 == line }
    }

    /// The journal of what happens at a date.
    static func journal(at date: Date) -> DocumentName { .activity(JournalMonth(of: date)) }

    /// Adds an entry unless the journal of its month has one of `recorded` already.
    func record(_ activity: Activity, unless recorded: [Activity]) throws(StoreFailure) {
        let journal = DocumentName.activity(JournalMonth(of: activity.date))
        let lines = try recorded.map { recorded throws(StoreFailure) in
            try DocumentCoding.line(recorded, for: journal)
        }
        let line = try DocumentCoding.line(activity, for: journal)
        try backend.append(line, to: journal, unless: lines)
    }

    /// What happened last, newest first; what cannot be read of it is in
    /// ``activityListing(count:)``.
    package func activity(count: Int) throws(StoreFailure) -> [Activity] {
        try activityListing(count: count).activities
    }
}

extension DocumentName {
    static let activities = DocumentName(known: "activity")

    fileprivate static func activity(_ month: JournalMonth) -> DocumentName {
        DocumentName(known: "activity", month.journal)
    }
}
