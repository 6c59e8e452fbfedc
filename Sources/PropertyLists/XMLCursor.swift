/// A cursor in an XML document, with the operations that its grammar needs.
struct XMLCursor {
    let bytes: [UInt8]
    /// The start of the document, after a byte order mark.
    private let start: Int
    /// Whether the document was converted from UTF-16, which its declaration may still state.
    let isTranscoded: Bool
    var position: Int

    init(_ bytes: [UInt8], isTranscoded: Bool = false) {
        self.bytes = bytes
        self.isTranscoded = isTranscoded
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        position = start
    }

    var isAtEnd: Bool { position == bytes.count }

    /// The byte at the cursor; nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func isAt(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard count <= bytes.count - position else { return false }
        let start = unsafe text.utf8Start
        for index in 0..<count where bytes[position + index] != (unsafe start[index]) {
            return false
        }
        return true
    }

    /// Moves past one character if it is next; several times for each value of a large list.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Skips `text` if it is next.
    mutating func skip(_ text: StaticString) -> Bool {
        guard isAt(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    mutating func skipWhitespace() {
        while position < bytes.count, bytes[position].isXMLWhitespace { position += 1 }
    }

    /// Skips whitespace and comments.
    mutating func skipSpace() throws(MalformedPropertyList) {
        skipWhitespace()
        while isAt("<!--") {
            let start = position
            position += 4
            _ = try take(through: "-->", or: "has an unfinished comment", from: start)
            skipWhitespace()
        }
    }

    /// Skips `end` and returns the bytes before it.
    mutating func take(
        through end: StaticString,
        or complaint: String,
        from start: Int,
    ) throws(MalformedPropertyList) -> ArraySlice<UInt8> {
        let first = position
        while position < bytes.count {
            let last = position
            if skip(end) { return bytes[first..<last] }
            position += 1
        }
        throw refusal(complaint, at: start)
    }

    /// Reads a name: everything up to whitespace, `>`, `/`, `=` or `<`.
    mutating func name() -> ArraySlice<UInt8> {
        let first = position
        while let byte = next, !byte.isXMLWhitespace, byte != UInt8(ascii: ">"),
            byte != UInt8(ascii: "/"), byte != UInt8(ascii: "="), byte != UInt8(ascii: "<")
        {
            position += 1
        }
        return bytes[first..<position]
    }

    /// Reads a quoted text and returns it without its quotes.
    mutating func quoted() throws(MalformedPropertyList) -> ArraySlice<UInt8> {
        let start = position
        if skip("\"") { return try take(through: "\"", or: "has an open quote", from: start) }
        if skip("'") { return try take(through: "'", or: "has an open quote", from: start) }
        throw refusal("lacks a quoted value")
    }

    /// An error at `place`, by default the cursor; the column counts characters.
    func refusal(_ what: String, at place: Int? = nil) -> MalformedPropertyList {
        var line = 1
        var column = 1
        for byte in bytes[start..<(place ?? position)] {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return MalformedPropertyList(.xml(line: line, column: column, what: what))
    }
}

extension UInt8 {
    var isXMLWhitespace: Bool {
        self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D
    }
}
