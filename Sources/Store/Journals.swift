/// Journals: lists of lines that only grow, followed from a place in them.
///
/// A place is an offset in bytes, counted with the line feeds; what is kept elsewhere than in a file
/// counts alike, so that a place lasts when a store moves.
package protocol Journals: Sendable {
    /// Adds one line, without its line feed, to a journal, unless one of `recorded` is a line of it.
    func append(
        _ line: [UInt8],
        to journal: DocumentName,
        unless recorded: [[UInt8]],
    ) throws(StoreFailure)

    /// The whole lines of a journal; one that a crash cut short, and was never acknowledged, is not
    /// among them.
    func lines(of journal: DocumentName) throws(StoreFailure) -> [[UInt8]]

    /// The whole lines behind an offset, at most `count`, each with the offset behind it.
    ///
    /// None for an offset that is not the beginning of a line.
    func lines(
        of journal: DocumentName,
        from offset: Int,
        count: Int,
    ) throws(StoreFailure) -> [JournalLine]

    /// The whole lines in the last `length` bytes before an offset, in their order, each with the
    /// offset behind it; none where the last line is longer.
    func lines(
        of journal: DocumentName,
        endingBy end: Int,
        within length: Int,
    ) throws(StoreFailure) -> [JournalLine]

    /// The offset behind the last whole line; 0 without a journal.
    func end(of journal: DocumentName) throws(StoreFailure) -> Int

    /// The first offset from `offset` on at which a whole line begins, or the journal's end.
    func startOfLine(in journal: DocumentName, near offset: Int) throws(StoreFailure) -> Int

    /// Writes `new`, which is as long, over `old` wherever it stands in a line of a journal, for what
    /// must not be kept; the lines stay where they are.
    func overwrite(
        _ old: [UInt8],
        with new: [UInt8],
        in journal: DocumentName,
    ) throws(StoreFailure)

    /// Writes spaces over a range of a journal, which is one line that cannot be read; the lines
    /// stay where they are.
    func blank(_ range: Range<Int>, of journal: DocumentName) throws(StoreFailure)
}

extension Journals {
    package func append(_ line: [UInt8], to journal: DocumentName) throws(StoreFailure) {
        try append(line, to: journal, unless: [])
    }
}

/// One line of a journal.
package struct JournalLine: Sendable, Equatable {
    package let bytes: [UInt8]
    /// The offset behind its line feed.
    package let end: Int

    package init(bytes: [UInt8], end: Int) {
        self.bytes = bytes
        self.end = end
    }

    /// The whole lines in a part of a journal.
    ///
    /// - Parameters:
    ///   - bytes: the part; what is before its first line feed is left out unless the journal begins
    ///     there.
    ///   - start: the offset of the part.
    /// - Returns: the lines, in their order.
    package static func all(in bytes: [UInt8], at start: Int) -> [JournalLine] {
        let feed = UInt8(ascii: "\n")
        var lines: [JournalLine] = []
        var rest = bytes[...]
        if start > 0 {
            guard let first = rest.firstIndex(of: feed) else { return [] }
            rest = rest[(first + 1)...]
        }
        while let last = rest.firstIndex(of: feed) {
            lines.append(JournalLine(bytes: Array(rest[..<last]), end: start + last + 1))
            rest = rest[(last + 1)...]
        }
        return lines
    }
}
