package import Releases

/// The latest activity, and the lines that cannot be read.
package struct ActivityListing: Sendable {
    /// Newest first.
    package fileprivate(set) var activities: [Activity] = []
    /// Newest first.
    package fileprivate(set) var failures: [StoreFailure] = []
    /// The position before everything that was read; nil if nothing is older.
    package fileprivate(set) var older: ActivityCursor?
}

extension OTAStore {
    /// The latest activity, newest first.
    ///
    /// Lines that cannot be read are skipped and reported.
    ///
    /// Journals are read from their ends, so that a month with a million lines costs no more than one with
    /// a hundred.
    ///
    /// - Parameters:
    ///   - place: only activity before this position is listed; nil for the latest.
    ///   - count: the maximum number of activities.
    ///   - mostLines: the maximum number of lines read.
    ///   - filter: what to include; months outside its dates are not read.
    ///   - concerns: whether to include activity of the app with this bundle identifier, or of no app;
    ///     other lines are not decoded.
    /// - Returns: the activity found, and the position at which older activity starts.
    /// - Throws: ``StoreFailure`` if a journal cannot be read.
    package func activityListing(
        before place: ActivityCursor? = nil,
        count: Int,
        mostLines: Int = .max,
        matching filter: ActivityFilter = ActivityFilter(),
        where concerns: ((_ app: String?) -> Bool)? = nil,
    ) throws(StoreFailure) -> ActivityListing {
        if place == nil { backend.completeEntries() }
        var listing = ActivityListing()
        var looked = 0
        let names = try journalNames()
        for name in names.reversed() {
            let month = String(name.dropLast(JournalMonth.suffix.count))
            if let place, month > place.month { continue }
            if let last = filter.to, month > JournalMonth(of: last.start).text { continue }
            if let first = filter.from, month < JournalMonth(of: first.start).text { break }
            var lines = JournalBackwards(
                journal: try DocumentName.activities.appending(name),
                end: place?.month == month ? place?.offset : nil,
            )
            while let line = try lines.next(in: backend) {
                guard listing.activities.count < count, looked < mostLines else {
                    listing.older = ActivityCursor(month: month, offset: line.end)
                    return listing
                }
                looked += 1
                if let concerns, !concerns(line.bytes.textOfApp) { continue }
                do throws(StoreFailure) {
                    let path = "\(lines.journal) before byte \(line.end)"
                    if let activity = try Self.journalled(Activity.self, line.bytes, path),
                        filter.includes(activity)
                    {
                        listing.activities.append(activity)
                    }
                } catch {
                    if listing.failures.count < Self.mostFailures { listing.failures.append(error) }
                }
            }
        }
        return listing
    }

    /// The value of a journal's line; nil for a line that was blanked because it could not be read.
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

    /// Moves the unreadable lines of a journal to the file `….unreadable` beside it (the first 64 KiB of
    /// each) and replaces them with spaces, so that positions in the journal stay valid.
    ///
    /// - Returns: the number of lines; nil if the path is not a journal.
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

    /// The most damaged lines that are reported; no one reads more.
    private static var mostFailures: Int { 100 }
}

extension [UInt8] {
    /// The bundle identifier in a journal's line; nil for a line without one.
    ///
    /// No text in the line can be mistaken for it, because quotation marks in JSON strings are escaped.
    fileprivate var textOfApp: String? {
        guard let start = firstRange(of: Array("\"app\":\"".utf8))?.upperBound,
            let end = self[start...].firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        return String(decoding: self[start..<end], as: UTF8.self)
    }
}
