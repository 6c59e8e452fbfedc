package import Releases

/// The latest of what happened, and which lines cannot be read.
package struct ActivityListing: Sendable {
    /// Newest first.
    package fileprivate(set) var activities: [Activity] = []
    /// Newest first.
    package fileprivate(set) var failures: [StoreFailure] = []
}

extension OTAStore {
    /// What happened last, newest first; lines that cannot be read are passed over and named.
    ///
    /// Months are read from the newest backwards until there are `count`.
    package func activityListing(count: Int) throws(StoreFailure) -> ActivityListing {
        backend.completeEntries()
        var listing = ActivityListing()
        for name in try backend.names(in: .activities).reversed()
        where JournalMonth(journal: name) != nil {
            let journal = try DocumentName.activities.appending(name)
            for (index, line) in try backend.lines(of: journal).enumerated().reversed() {
                guard listing.activities.count < count else { return listing }
                do throws(StoreFailure) {
                    let path = "\(journal) line \(index + 1)"
                    if let activity = try Self.journalled(Activity.self, line, path) {
                        listing.activities.append(activity)
                    }
                } catch {
                    if listing.failures.count < Self.mostFailures { listing.failures.append(error) }
                }
            }
        }
        return listing
    }

    /// The value of a journal's line; nil for one that was blanked because it could not be read.
    static func journalled<Line: Decodable>(
        _ type: Line.Type,
        _ line: [UInt8],
        _ path: String,
    ) throws(StoreFailure) -> Line? {
        do throws(StoreFailure) {
            return try DocumentCoding.value(type, from: line, path: path)
        } catch {
            if line.allSatisfy({ $0 == UInt8(ascii: " ") }) { return nil }
            throw error
        }
    }

    /// Sets aside the lines of a journal that cannot be read: their bytes go to the file
    /// `….unreadable` beside it, as far as the first 64 KiB of each, and spaces take their place, so
    /// that a follower of the journal keeps its place.
    ///
    /// - Returns: how many lines; nil for what is no journal.
    package func setAsideUnreadableLines(of path: String) throws(StoreFailure) -> Int? {
        let name = try DocumentName(path: path)
        guard name.components.count == 2, let file = name.components.last,
            JournalMonth(journal: file) != nil
        else { return nil }
        switch name.components.first {
        case DocumentName.activities.path: return try setAside(Activity.self, in: name)
        case DocumentName.installs.path: return try setAside(InstallAttempt.self, in: name)
        default: return nil
        }
    }

    private func setAside<Line: Decodable>(
        _ type: Line.Type,
        in journal: DocumentName,
    ) throws(StoreFailure) -> Int {
        let folder = journal.components.dropLast()
        let aside = try DocumentName(
            components: folder + [journal.components[folder.count] + ".unreadable"]
        )
        var count = 0
        var start = 0
        while true {
            let lines = try backend.lines(of: journal, from: start, count: 5_000)
            guard !lines.isEmpty else { break }
            for line in lines {
                defer { start = line.end }
                do throws(StoreFailure) {
                    _ = try Self.journalled(type, line.bytes, journal.path)
                } catch {
                    try backend.append(Array(line.bytes.prefix(64 << 10)), to: aside)
                    try backend.blank(start..<line.end - 1, of: journal)
                    count += 1
                }
            }
        }
        installs.forget()
        return count
    }

    /// As many damaged lines are named; no person reads more.
    private static var mostFailures: Int { 100 }
}
