/// Lines that a change of a document appends to a journal; see ``Backend/write(_:to:if:adding:)``.
package struct JournalEntry: Sendable, Equatable {
    package let journal: DocumentName
    /// Without line feeds; at least one.
    package let lines: [[UInt8]]

    package init(journal: DocumentName, lines: [[UInt8]]) {
        self.journal = journal
        self.lines = lines
    }
}
