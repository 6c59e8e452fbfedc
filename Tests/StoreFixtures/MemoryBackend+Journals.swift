package import Store

/// Journals: consecutive lines, so that offsets in them are the same as in a file.
extension MemoryBackend {
    fileprivate static let feed = UInt8(ascii: "\n")

    package func append(
        _ line: [UInt8],
        to journal: DocumentName,
        unless recorded: [[UInt8]],
    ) throws(StoreFailure) {
        try requireStore()
        try change { state throws(StoreFailure) in
            let whole = Self.wholeLines(state.objects[journal.path]?.bytes ?? [])
            guard
                !whole.split(separator: Self.feed).contains(where: { recorded.contains(Array($0)) })
            else { return }
            state.add([line], to: journal)
        }
    }

    package func lines(of journal: DocumentName) throws(StoreFailure) -> [[UInt8]] {
        try bytes(of: journal).split(separator: Self.feed).map(Array.init)
    }

    package func lines(
        of journal: DocumentName,
        from offset: Int,
        count: Int,
    ) throws(StoreFailure) -> [JournalLine] {
        let bytes = try bytes(of: journal)
        guard offset >= 0, offset < bytes.count, offset == 0 || bytes[offset - 1] == Self.feed
        else { return [] }
        var lines: [JournalLine] = []
        var start = offset
        while lines.count < count, let end = bytes[start...].firstIndex(of: Self.feed) {
            lines.append(JournalLine(bytes: Array(bytes[start..<end]), end: end + 1))
            start = end + 1
        }
        return lines
    }

    package func lines(
        of journal: DocumentName,
        endingBy end: Int,
        within length: Int,
    ) throws(StoreFailure) -> [JournalLine] {
        let bytes = try bytes(of: journal)
        let end = min(end, bytes.count)
        let start = max(0, end - length - 1)
        return JournalLine.all(in: Array(bytes[start..<end]), at: start)
    }

    package func end(of journal: DocumentName) throws(StoreFailure) -> Int {
        try bytes(of: journal).count
    }

    package func startOfLine(
        in journal: DocumentName,
        near offset: Int,
    ) throws(StoreFailure) -> Int {
        guard offset > 0 else { return 0 }
        let bytes = try bytes(of: journal)
        guard offset <= bytes.count else { return bytes.count }
        return bytes[(offset - 1)...].firstIndex(of: Self.feed).map { $0 + 1 } ?? bytes.count
    }

    package func overwrite(
        _ old: [UInt8],
        with new: [UInt8],
        in journal: DocumentName,
    ) throws(StoreFailure) {
        guard old.count == new.count, !old.isEmpty else { return }
        try change { state throws(StoreFailure) in
            guard var bytes = state.objects[journal.path]?.bytes else { return }
            for range in bytes.ranges(of: old) { bytes.replaceSubrange(range, with: new) }
            state.put(bytes, at: journal.path)
        }
    }

    package func blank(
        _ range: Range<Int>,
        of journal: DocumentName,
    ) throws(StoreFailure) {
        try change { state throws(StoreFailure) in
            guard var bytes = state.objects[journal.path]?.bytes else { return }
            for index in range { bytes[index] = UInt8(ascii: " ") }
            state.put(bytes, at: journal.path)
        }
    }

    private func bytes(of journal: DocumentName) throws(StoreFailure) -> [UInt8] {
        guard let bytes = object(at: journal.path) else {
            try requireStore()
            return []
        }
        return Self.wholeLines(bytes)
    }

    fileprivate static func wholeLines(_ bytes: [UInt8]) -> [UInt8] {
        guard let last = bytes.lastIndex(of: feed) else { return [] }
        return Array(bytes[...last])
    }
}

extension MemoryBackend.State {
    mutating func add(_ lines: [[UInt8]], to journal: DocumentName) {
        let whole = MemoryBackend.wholeLines(objects[journal.path]?.bytes ?? [])
        put(whole + lines.flatMap { $0 + [MemoryBackend.feed] }, at: journal.path)
    }
}
