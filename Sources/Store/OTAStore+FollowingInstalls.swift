package import Essentials
package import Releases

extension ActivityCursor {
    /// The beginning of the month of a date, by Greenwich.
    package init(beginningOfMonth date: Date) {
        self.init(month: JournalMonth(of: date).text, offset: 0)
    }
}

extension OTAStore {
    /// What phones fetched behind a place in the journals of installs, the oldest first.
    ///
    /// A journal is read piece by piece, however long it is; lines that cannot be read are passed over, and
    /// `ota store verify` names them.
    ///
    /// - Parameters:
    ///   - cursor: the place.
    ///   - count: how many lines are read at most.
    /// - Returns: the attempts, and the place behind them; nil where nothing is behind the place.
    /// - Throws: ``StoreFailure`` where a journal cannot be read.
    package func followInstalls(
        from cursor: ActivityCursor,
        count: Int,
    ) throws(StoreFailure) -> (found: [InstallAttempt], end: ActivityCursor)? {
        for name in try backend.names(in: .installs).sorted() {
            guard let month = JournalMonth(journal: name)?.text, month >= cursor.month else {
                continue
            }
            let journal = try DocumentName.installs.appending(name)
            let start = month == cursor.month ? cursor.offset : 0
            let lines = try backend.lines(of: journal, from: start, count: count)
            guard let last = lines.last else { continue }
            var found: [InstallAttempt] = []
            for line in lines {
                let path = "\(journal) before byte \(line.end)"
                do throws(StoreFailure) {
                    let attempt = try Self.journalled(InstallAttempt.self, line.bytes, path)
                    if let attempt { found.append(attempt) }
                } catch {
                    continue
                }
            }
            return (found, ActivityCursor(month: month, offset: last.end))
        }
        return nil
    }
}
