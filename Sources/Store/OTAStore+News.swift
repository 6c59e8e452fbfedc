package import Releases

/// What happened beyond a known place, journal by journal.
package struct ActivityNews: Sendable {
    /// In the order of each journal.
    package let activities: [Activity]
    /// How many bytes of each journal are known now.
    package let known: [String: Int]
    /// Lines that cannot be read; they count as known.
    package let failures: [StoreFailure]
}

extension OTAStore {
    /// How long each journal is now, by its name: everything that has happened so far.
    package func journals() throws(StoreFailure) -> [String: Int] {
        var known: [String: Int] = [:]
        for name in try backend.names(in: .activities) where name.hasSuffix(".jsonl") {
            known[name] = try backend.end(of: DocumentName.activities.appending(name))
        }
        return known
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
        var activities: [Activity] = []
        var failures: [StoreFailure] = []
        for (name, end) in try journals().sorted(by: { $0.key < $1.key }) {
            let start = known[name] ?? 0
            let room = count - activities.count - failures.count
            guard start != end, room > 0 else { continue }
            let journal = try DocumentName.activities.appending(name)
            let lines = try backend.lines(of: journal, from: start, count: room)
            // Shorter than it was, or other lines: somebody brought back an older store.
            known[name] = lines.last?.end ?? end
            for line in lines {
                let path = "\(journal) before byte \(line.end)"
                do throws(StoreFailure) {
                    if let activity = try Self.journalled(Activity.self, line.bytes, path) {
                        activities.append(activity)
                    }
                } catch {
                    failures.append(error)
                }
            }
        }
        return ActivityNews(activities: activities, known: known, failures: failures)
    }
}
