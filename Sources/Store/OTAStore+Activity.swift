package import Essentials
package import Releases

extension OTAStore {
    /// Appends an activity to the journal of its month; one short write, however long the journal is.
    package func record(_ activity: Activity) throws(StoreFailure) {
        try record(activity, unless: [])
    }

    /// Appends a recent activity unless the journal of its month already has it or `other`: for an
    /// operation that is repeated because its first attempt may have ended before it was recorded.
    ///
    /// Activity older than a week is not recorded, because journals of past months may have been moved
    /// away.
    package func recordIfMissing(
        _ activity: Activity,
        or other: Activity? = nil,
        at now: Date,
    ) throws(StoreFailure) {
        guard now.timeIntervalSince(activity.date) < 7 * 86_400 else { return }
        try record(activity, unless: [activity] + [other].compactMap(\.self))
    }

    /// The journal entry of a change.
    ///
    /// All activities have the same date, so that one journal has them all; nil if there are none.
    static func entry(of activities: [Activity]) throws(StoreFailure) -> JournalEntry? {
        guard let first = activities.first else { return nil }
        return try entry(first, activities.dropFirst())
    }

    /// The journal entry of a change with one activity, or with several of the same date.
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

    /// Whether the journal of its month has exactly this activity; reads the whole month.
    func isRecorded(_ activity: Activity) throws(StoreFailure) -> Bool {
        let journal = DocumentName.activity(JournalMonth(of: activity.date))
        let line = try DocumentCoding.line(activity, for: journal)
        return try backend.lines(of: journal).contains { $0 == line }
    }

    /// The journal for activity at a date.
    static func journal(at date: Date) -> DocumentName { .activity(JournalMonth(of: date)) }

    /// Appends an activity unless the journal of its month already has one of `recorded`.
    func record(_ activity: Activity, unless recorded: [Activity]) throws(StoreFailure) {
        let journal = DocumentName.activity(JournalMonth(of: activity.date))
        let lines = try recorded.map { recorded throws(StoreFailure) in
            try DocumentCoding.line(recorded, for: journal)
        }
        let line = try DocumentCoding.line(activity, for: journal)
        try backend.append(line, to: journal, unless: lines)
    }

    /// The latest activity, newest first; ``activityListing(count:)`` also reports what cannot be read.
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
