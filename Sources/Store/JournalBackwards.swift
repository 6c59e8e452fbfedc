/// Reads the lines of a journal from its end backwards.
///
/// The first read has as many bytes as about a hundred lines; each further one has twice as many as the one
/// before, up to a limit.
struct JournalBackwards {
    let journal: DocumentName
    /// The end of the part that has not been read yet; nil before the first read.
    private var end: Int?
    private var waiting: [JournalLine] = []
    /// The size of the next read in bytes.
    private var stretch = 16 << 10
    private static let longestStretch = 1 << 20

    /// - Parameters:
    ///   - journal: the journal to read.
    ///   - end: the offset after the first line to return, as in ``JournalLine/end``; nil for the last
    ///     line.
    init(journal: DocumentName, end: Int?) {
        self.journal = journal
        self.end = end
    }

    /// The line before the one returned last; nil if there is none.
    mutating func next(in backend: any Backend) throws(StoreFailure) -> JournalLine? {
        if let line = waiting.popLast() { return line }
        var rest = if let end { end } else { try backend.end(of: journal) }
        while rest > 0 {
            waiting = try backend.lines(of: journal, endingBy: rest, within: stretch)
            if let first = waiting.first {
                rest = first.end - first.bytes.count - 1
                stretch = min(stretch * 2, Self.longestStretch)
                break
            }
            // The line is longer than the read.
            guard stretch < rest else {
                rest = 0
                break
            }
            stretch *= 2
        }
        end = rest
        return waiting.popLast()
    }
}
