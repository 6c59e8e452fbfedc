#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A journal is an append-only file of lines; an acknowledged line is durable.
extension DirectoryBackend {
    package func append(
        _ line: [UInt8],
        to journal: DocumentName,
        unless recorded: [[UInt8]],
    ) throws(StoreFailure) {
        try requireStore()
        try writing(journal, isEntry: true) { _ throws(StoreFailure) in
            try systemCall { () throws(SystemFailure) in
                try add([line], to: journal, unless: recorded)
            }
        }
    }

    /// Appends lines to a journal; the caller holds the lock.
    func add(
        _ lines: [[UInt8]],
        to journal: DocumentName,
        unless recorded: [[UInt8]] = [],
    ) throws(SystemFailure) {
        let path = path(of: journal)
        try prepare(Folder.parent(of: path))
        let isNew = try Folder.status(path) == nil
        let file = try OpenFile.open(path, O_RDWR | O_CREAT | O_APPEND, mode: 0o600)
        let end = try Self.endOfLines(in: file)
        if !recorded.isEmpty, try Self.hasLine(among: recorded, in: file, before: end) {
            // The process that wrote the line may have ended before syncing it.
            return try file.sync()
        }
        if Int(try file.status().st_size) > end { try file.truncate(to: end) }
        do throws(SystemFailure) {
            try file.write(lines.flatMap { $0 + [UInt8(ascii: "\n")] })
            try file.sync()
        } catch {
            try? file.truncate(to: end)
            throw error
        }
        if isNew { try Folder.sync(Folder.parent(of: path)) }
    }

    package func lines(of journal: DocumentName) throws(StoreFailure) -> [[UInt8]] {
        try reading(journal, else: []) { file throws(SystemFailure) in
            let bytes = try file.bytes(at: 0, count: Self.endOfLines(in: file))
            return bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
        }
    }

    package func lines(
        of journal: DocumentName,
        from offset: Int,
        count: Int,
    ) throws(StoreFailure) -> [JournalLine] {
        let feed = UInt8(ascii: "\n")
        let lines: [JournalLine] = try reading(journal, else: []) { file throws(SystemFailure) in
            let end = try Self.endOfLines(in: file)
            guard offset >= 0, offset < end else { return [] }
            let start = max(0, offset - 1)
            let bytes = try file.bytes(at: start, count: min(end - start, Self.longestReading))
            guard offset == 0 || bytes.first == feed else { return [] }
            var lines: [JournalLine] = []
            if end - start > bytes.count, !bytes[(offset - start)...].contains(feed) {
                return [try Self.longLine(in: file, from: offset, before: end)]
            }
            var rest = bytes[(offset - start)...]
            while lines.count < count, let last = rest.firstIndex(of: feed) {
                let line = Array(rest[..<last])
                rest = rest[(last + 1)...]
                lines.append(JournalLine(bytes: line, end: start + last + 1))
            }
            return lines
        }
        // Such a long line used up the read; also return the lines after it.
        guard lines.count == 1, count > 1, let long = lines.last,
            long.end - offset > long.bytes.count + 1
        else { return lines }
        return try lines + self.lines(of: journal, from: long.end, count: count - 1)
    }

    package func lines(
        of journal: DocumentName,
        endingBy end: Int,
        within length: Int,
    ) throws(StoreFailure) -> [JournalLine] {
        try reading(journal, else: []) { file throws(SystemFailure) in
            let end = min(end, try Self.endOfLines(in: file))
            guard end > 0 else { return [] }
            // One more byte shows whether a line starts there.
            let start = max(0, end - length - 1)
            let bytes = try file.bytes(at: start, count: end - start)
            return JournalLine.all(in: bytes, at: start)
        }
    }

    package func end(of journal: DocumentName) throws(StoreFailure) -> Int {
        try reading(journal, else: 0) { file throws(SystemFailure) in
            try Self.endOfLines(in: file)
        }
    }

    package func startOfLine(
        in journal: DocumentName,
        near offset: Int,
    ) throws(StoreFailure) -> Int {
        guard offset > 0 else { return 0 }
        return try reading(journal, else: 0) { file throws(SystemFailure) in
            let end = try Self.endOfLines(in: file)
            var start = offset - 1
            while start < end {
                let piece = try file.bytes(at: start, count: min(4096, end - start))
                if let feed = piece.firstIndex(of: UInt8(ascii: "\n")) { return start + feed + 1 }
                start += piece.count
            }
            return end
        }
    }

    package func overwrite(
        _ old: [UInt8],
        with new: [UInt8],
        in journal: DocumentName,
    ) throws(StoreFailure) {
        guard old.count == new.count, !old.isEmpty else { return }
        var position = 0
        while true {
            let lines = try lines(of: journal, from: position, count: 5_000)
            guard let last = lines.last else { return }
            for line in lines {
                guard let found = line.bytes.firstRange(of: old) else { continue }
                let start = line.end - 1 - line.bytes.count
                try systemCall { () throws(SystemFailure) in
                    let file = try OpenFile.open(path(of: journal), O_RDWR)
                    try file.write(new, at: start + found.lowerBound)
                    try file.sync()
                }
            }
            position = last.end
        }
    }

    package func blank(
        _ range: Range<Int>,
        of journal: DocumentName,
    ) throws(StoreFailure) {
        try systemCall { () throws(SystemFailure) in
            let file = try OpenFile.open(path(of: journal), O_RDWR)
            var offset = range.lowerBound
            while offset < range.upperBound {
                let count = min(1 << 20, range.upperBound - offset)
                let spaces = [UInt8](repeating: UInt8(ascii: " "), count: count)
                try file.write(spaces, at: offset)
                offset += count
            }
            try file.sync()
        }
    }

    /// The start of a line that is longer than any valid one, so that the lines after it are found.
    private static func longLine(
        in file: borrowing OpenFile,
        from offset: Int,
        before end: Int,
    ) throws(SystemFailure) -> JournalLine {
        let front = try file.bytes(at: offset, count: min(64 << 10, end - offset))
        var position = offset + front.count
        while position < end {
            let piece = try file.bytes(at: position, count: min(1 << 20, end - position))
            if let feed = piece.firstIndex(of: UInt8(ascii: "\n")) {
                return JournalLine(bytes: front, end: position + feed + 1)
            }
            guard !piece.isEmpty else { break }
            position += piece.count
        }
        return JournalLine(bytes: front, end: end)
    }

    /// The most bytes of a journal read at once.
    private static var longestReading: Int { 4 << 20 }

    private func reading<Value>(
        _ journal: DocumentName,
        else missing: Value,
        _ body: (borrowing OpenFile) throws(SystemFailure) -> Value,
    ) throws(StoreFailure) -> Value {
        do throws(SystemFailure) {
            let file = try OpenFile.open(path(of: journal), O_RDONLY, action: "read")
            return try body(file)
        } catch {
            guard error.cause == .missing else { throw .system(error) }
        }
        try requireStore()
        return missing
    }

    /// In bytes: about fifty thousand lines.
    private static var longestSearched: Int { 8 << 20 }

    /// Whether the journal has one of the lines.
    ///
    /// A journal longer than ``longestSearched`` is not read but assumed to have the line: the question
    /// arises only after a crash, which is rare, and the cost of reading grows with the journal.
    private static func hasLine(
        among wanted: [[UInt8]],
        in file: borrowing OpenFile,
        before end: Int,
    ) throws(SystemFailure) -> Bool {
        guard end <= longestSearched else { return true }
        let bytes = try file.bytes(at: 0, count: end)
        return bytes.split(separator: UInt8(ascii: "\n")).contains { line in
            wanted.contains { $0.count == line.count && line.elementsEqual($0) }
        }
    }

    /// The offset after the last line feed.
    ///
    /// Anything after it was never acknowledged.
    private static func endOfLines(in file: borrowing OpenFile) throws(SystemFailure) -> Int {
        var end = Int(try file.status().st_size)
        while end > 0 {
            let start = max(0, end - 4096)
            let piece = try file.bytes(at: start, count: end - start)
            if let last = piece.lastIndex(of: UInt8(ascii: "\n")) { return start + last + 1 }
            end = start
        }
        return 0
    }
}
