/// Journals: append-only lists of lines, followed from a position.
///
/// A position is a byte offset that includes line feeds. Backends that use no files count in the same way,
/// so that positions stay valid when a store moves.
package protocol Journals: Sendable {
    /// Appends one line, given without its line feed, unless the journal has one of the lines in
    /// `recorded`.
    func append(
        _ line: [UInt8],
        to journal: DocumentName,
        unless recorded: [[UInt8]],
    ) throws(StoreFailure)

    /// The complete lines of a journal, without a line that a crash cut short; such a line was never
    /// acknowledged.
    func lines(of journal: DocumentName) throws(StoreFailure) -> [[UInt8]]

    /// The complete lines after an offset, at most `count`, each with the offset after it.
    ///
    /// None if the offset is not the start of a line.
    func lines(
        of journal: DocumentName,
        from offset: Int,
        count: Int,
    ) throws(StoreFailure) -> [JournalLine]

    /// The complete lines in the last `length` bytes before an offset, in order, each with the offset after
    /// it; none if the last line is longer.
    func lines(
        of journal: DocumentName,
        endingBy end: Int,
        within length: Int,
    ) throws(StoreFailure) -> [JournalLine]

    /// The offset after the last complete line; 0 if there is no journal.
    func end(of journal: DocumentName) throws(StoreFailure) -> Int

    /// The first offset at or after `offset` where a complete line starts, or the journal's end.
    func startOfLine(in journal: DocumentName, near offset: Int) throws(StoreFailure) -> Int

    /// Replaces `old` by `new`, which has the same length, in all lines of a journal, for data that must
    /// not be kept.
    ///
    /// Offsets do not change.
    func overwrite(
        _ old: [UInt8],
        with new: [UInt8],
        in journal: DocumentName,
    ) throws(StoreFailure)

    /// Replaces a range of a journal, one line that cannot be read, by spaces.
    ///
    /// Offsets do not change.
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
    /// The offset after its line feed.
    package let end: Int

    package init(bytes: [UInt8], end: Int) {
        self.bytes = bytes
        self.end = end
    }

    /// The complete lines in a part of a journal.
    ///
    /// - Parameters:
    ///   - bytes: the part; bytes up to its first line feed are ignored unless the part starts the journal.
    ///   - start: the offset of the part.
    /// - Returns: the lines in order.
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
