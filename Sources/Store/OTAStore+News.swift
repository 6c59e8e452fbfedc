package import Releases

/// What happened beyond a known place, journal by journal.
package struct ActivityNews: Sendable {
    /// In the order of each journal, each with the place behind it.
    package let found: [(activity: Activity, cursor: ActivityCursor)]
    /// How many bytes of each journal are known now.
    package let known: [String: Int]
    /// Lines that cannot be read; they count as known.
    package let failures: [StoreFailure]

    /// In the order of each journal.
    package var activities: [Activity] { found.map(\.activity) }
}

extension OTAStore {
    /// How long each journal is now, by its name: everything that has happened so far.
    package func journals() throws(StoreFailure) -> [String: Int] {
        var known: [String: Int] = [:]
        for name in try journalNames() {
            known[name] = try backend.end(of: DocumentName.activities.appending(name))
        }
        return known
    }

    /// The stamp that shows whether a journal has changed, without opening it; by its name.
    func journalStamps() throws(StoreFailure) -> [String: ChangeStamp] {
        backend.completeEntries()
        var stamps: [String: ChangeStamp] = [:]
        for name in try names(in: .activities) where JournalMonth(journal: name) != nil {
            stamps[name] = try backend.knownStamp(of: DocumentName.activities.appending(name))
        }
        return stamps
    }

    /// The journals of activity, the oldest first.
    func journalNames() throws(StoreFailure) -> [String] {
        try backend.knownNames(in: .activities).filter { JournalMonth(journal: $0) != nil }
    }

    /// What happened since the journals were as long as `known` says, at most `count`.
    ///
    /// Each journal is followed by itself, so that a clock that jumps into another month and back
    /// hides nothing.
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
                // What a back end knows of a journal may be older than its length was: it looks itself.
                let journal = try DocumentName.activities.appending(name)
                _ = try backend.stamp(of: journal)
                let end = try backend.end(of: journal)
                read = try readActivity(in: name, from: start, count: room)
                // Shorter than it was, or other lines: an older store was brought back.
                place = read.end?.offset ?? end
            }
            known[name] = place
            found += read.found
            failures += read.failures
        }
        return ActivityNews(found: found, known: known, failures: failures)
    }

    /// The lines of one journal behind an offset, at most `count`; the place behind them is nil
    /// where there are none.
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
