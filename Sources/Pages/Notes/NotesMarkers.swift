/// The line that opens a block of code: three or more backticks or tildes.
struct NotesFence {
    let mark: Unicode.Scalar
    let length: Int

    /// - Parameter text: a line without surrounding whitespace; nil if it opens no code block.
    init?(_ text: ArraySlice<Unicode.Scalar>) {
        guard let mark = text.first, mark == "`" || mark == "~" else { return nil }
        length = text.prefix { $0 == mark }.count
        self.mark = mark
        // The rest is the language; if it contains another backtick, this is inline code.
        guard length >= 3, mark == "~" || !text.dropFirst(length).contains(mark) else {
            return nil
        }
    }

    /// Returns whether a line, without surrounding whitespace, closes the block.
    func isEnded(by text: ArraySlice<Unicode.Scalar>) -> Bool {
        text.count >= length && text.allSatisfy { $0 == mark }
    }
}

/// The marker of a list item: a bullet, or a number with a dot or a parenthesis.
struct NotesListMarker {
    /// Spaces before the text of the item.
    let indent: Int
    /// The number of the item; nil for a bullet.
    let number: Int?
    let rest: ArraySlice<Unicode.Scalar>

    init?(_ line: ArraySlice<Unicode.Scalar>) {
        let space = line.prefix(while: \.properties.isWhitespace).count
        let text = line.dropFirst(space)
        guard let mark = text.first else { return nil }
        let length: Int
        if "-*+•".unicodeScalars.contains(mark) {
            number = nil
            length = 1
        } else {
            let digits = text.prefix { ("0"..."9").contains($0) }
            let behind = text.dropFirst(digits.count).first
            guard (1...4).contains(digits.count), behind == "." || behind == ")" else {
                return nil
            }
            number = digits.reduce(0) { $0 * 10 + Int($1.value) - 48 }
            length = digits.count + 1
        }
        guard text.dropFirst(length).first == " " else { return nil }
        indent = space + length + 1
        rest = text.dropFirst(length + 1)
    }

    /// Returns whether both belong to the same kind of list: bullets, or numbers.
    func isAlike(_ other: NotesListMarker) -> Bool { (number == nil) == (other.number == nil) }
}
