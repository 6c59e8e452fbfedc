/// The lines of a journal from its end backwards.
///
/// As many bytes are read at once as some hundred lines have, and twice as many each time that those
/// are used up.
struct JournalBackwards {
    let journal: DocumentName
    /// The end of what has not been read yet; nil before the first read.
    private var end: Int?
    private var waiting: [JournalLine] = []
    /// Bytes.
    private var stretch = 16 << 10
    private static let longestStretch = 1 << 20

    /// - Parameters:
    ///   - journal: whose lines.
    ///   - end: the offset behind the first one, as ``JournalLine/end`` has it; nil for the last line.
    init(journal: DocumentName, end: Int?) {
        self.journal = journal
        self.end = end
    }

    /// The line before the one that was returned last; nil where there is none.
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
            // The line is longer than that.
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
