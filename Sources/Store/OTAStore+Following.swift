package import Essentials
package import Releases

/// A position in the activity journals: everything before it has been read.
///
/// Its text form is `2026-11:4096`. Clients may send any text, so every cursor from outside is validated.
package struct ActivityCursor: Hashable, Sendable, CustomStringConvertible {
    let month: String
    package let offset: Int

    init(month: String, offset: Int) {
        self.month = month
        self.offset = offset
    }

    /// - Returns: nil for text that is not in the form of a cursor.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 7, parts[1].utf8.count <= 12,
            let offset = Int(parts[1]), offset >= 0,
            parts[0].utf8.enumerated().allSatisfy({ index, byte in
                index == 4
                    ? byte == UInt8(ascii: "-")
                    : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            })
        else { return nil }
        self.init(month: String(parts[0]), offset: offset)
    }

    package var description: String { "\(month):\(offset)" }

    /// Whether a reader that has read up to `other` has also read up to this cursor.
    package func isNotAfter(_ other: ActivityCursor) -> Bool {
        (month, offset) <= (other.month, other.offset)
    }
}

extension OTAStore {
    /// The position after all activity so far; `date` gives the month if there is none.
    package func activityEnd(at date: Date) throws(StoreFailure) -> ActivityCursor {
        let month = try journalNames().last.map { String($0.dropLast(JournalMonth.suffix.count)) }
        guard let month else {
            return ActivityCursor(month: String(date.formatted(.iso8601).prefix(7)), offset: 0)
        }
        return ActivityCursor(
            month: month,
            offset: try backend.end(of: DocumentName("activity", month + ".jsonl")),
        )
    }

    /// The activity after a position, oldest first, at most `count`, each with the position after it.
    ///
    /// Lines that cannot be read are skipped and reported.
    package func follow(
        from cursor: ActivityCursor,
        count: Int,
    ) throws(StoreFailure) -> FollowedActivity {
        backend.completeEntries()
        var followed = FollowedActivity(end: cursor)
        for name in try journalNames() {
            let month = String(name.dropLast(JournalMonth.suffix.count))
            let room = count - followed.count
            guard month >= cursor.month, room > 0 else { continue }
            let start = month == cursor.month ? cursor.offset : 0
            let read = try readActivity(in: name, from: start, count: room)
            followed.found += read.found
            followed.failures += read.failures
            followed.end = read.end ?? followed.end
        }
        return followed
    }
}

/// New activity that was read from the journals.
package struct FollowedActivity: Sendable {
    package fileprivate(set) var found: [(activity: Activity, cursor: ActivityCursor)] = []
    /// Lines that cannot be read.
    package fileprivate(set) var failures: [StoreFailure] = []
    /// The position after all of them.
    package fileprivate(set) var end: ActivityCursor

    /// The number of lines read.
    package var count: Int { found.count + failures.count }
}
