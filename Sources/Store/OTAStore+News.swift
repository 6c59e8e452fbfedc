package import Releases

/// The activity after known positions, journal by journal.
package struct ActivityNews: Sendable {
    /// In the order of each journal, each with the position after it.
    package let found: [(activity: Activity, cursor: ActivityCursor)]
    /// The number of bytes of each journal that have now been read.
    package let known: [String: Int]
    /// Lines that cannot be read; they count as read.
    package let failures: [StoreFailure]

    /// The activities in the order of each journal.
    package var activities: [Activity] { found.map(\.activity) }
}

extension OTAStore {
    /// The current length in bytes of each journal, by name; it covers all activity so far.
    package func journals() throws(StoreFailure) -> [String: Int] {
        var known: [String: Int] = [:]
        for name in try journalNames() {
            known[name] = try backend.end(of: DocumentName.activities.appending(name))
        }
        return known
    }

    /// The stamps of the journals, by name, which show whether one has changed without opening it.
    func journalStamps() throws(StoreFailure) -> [String: ChangeStamp] {
        backend.completeEntries()
        var stamps: [String: ChangeStamp] = [:]
        for name in try names(in: .activities) where JournalMonth(journal: name) != nil {
            stamps[name] = try backend.knownStamp(of: DocumentName.activities.appending(name))
        }
        return stamps
    }

    /// The names of the activity journals, oldest first.
    func journalNames() throws(StoreFailure) -> [String] {
        try backend.knownNames(in: .activities).filter { JournalMonth(journal: $0) != nil }
    }

    /// The activity after the journal lengths in `known`, at most `count`.
    ///
    /// Each journal has its own position, so that nothing is missed when a clock jumps into another month
    /// and back.
    package func news(
        beyond known: [String: Int],
        count: Int,
    ) throws(StoreFailure) -> ActivityNews {
        var known = known
        var found: [(activity: Activity, cursor: ActivityCursor)] = []
        var failures: [StoreFailure] = []
        for (name, end) in try journals().sorted(by: { $0.key < $1.key }) {
            let start = known[name] ?? 0
            let room = count - found.count - failures.count
            guard start != end, room > 0 else { continue }
            var read = try readActivity(in: name, from: start, count: room)
            var place = read.end?.offset
            if place == nil {
                // The backend's cached content of the journal may be older than the length; this makes it
                // read the journal again.
                let journal = try DocumentName.activities.appending(name)
                _ = try backend.stamp(of: journal)
                let end = try backend.end(of: journal)
                read = try readActivity(in: name, from: start, count: room)
                // The journal is shorter or has other lines: an older store was restored.
                place = read.end?.offset ?? end
            }
            known[name] = place
            found += read.found
            failures += read.failures
        }
        return ActivityNews(found: found, known: known, failures: failures)
    }

    /// At most `count` lines of one journal after an offset; the position after them is nil if there are
    /// none.
    func readActivity(
        in name: String,
        from offset: Int,
        count: Int,
    ) throws(StoreFailure) -> (
        found: [(activity: Activity, cursor: ActivityCursor)],
        failures: [StoreFailure],
        end: ActivityCursor?
    ) {
        let journal = try DocumentName.activities.appending(name)
        let month = String(name.dropLast(JournalMonth.suffix.count))
        var found: [(activity: Activity, cursor: ActivityCursor)] = []
        var failures: [StoreFailure] = []
        var end: ActivityCursor?
        for line in try backend.lines(of: journal, from: offset, count: count) {
            let place = ActivityCursor(month: month, offset: line.end)
            end = place
            do throws(StoreFailure) {
                let path = "\(journal) before byte \(line.end)"
                if let value = try Self.journalled(Activity.self, line.bytes, path) {
                    found.append((value, place))
                }
            } catch {
                failures.append(error)
            }
        }
        return (found, failures, end)
    }
}
