package import Essentials
package import Releases

extension ActivityCursor {
    /// The start of the month of a date, in GMT.
    package init(beginningOfMonth date: Date) {
        self.init(month: JournalMonth(of: date).text, offset: 0)
    }
}

extension OTAStore {
    /// The install attempts after a position in the install journals, oldest first.
    ///
    /// A journal of any length is read in pieces. Lines that cannot be read are skipped; `ota store verify`
    /// reports them.
    ///
    /// - Parameters:
    ///   - cursor: the position.
    ///   - count: the maximum number of lines read.
    /// - Returns: the attempts, and the position after them; nil if there is nothing after the position.
    /// - Throws: ``StoreFailure`` if a journal cannot be read.
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
