import S3
package import Store

extension ObjectBackend {
    package func append(
        _ line: [UInt8],
        to journal: DocumentName,
        unless recorded: [[UInt8]],
    ) throws(StoreFailure) {
        try append([line], to: journal, as: identifier(), unless: recorded) { true }
    }

    /// Appends lines once, however many writers do so with the same identifier.
    ///
    /// - Parameters:
    ///   - lines: the lines, without line feeds.
    ///   - journal: the journal.
    ///   - id: the identifier of this append.
    ///   - recorded: lines of which none may exist: the write fails if anything was appended since they
    ///     were searched for.
    ///   - isWanted: called after another writer has appended meanwhile; false to stop.
    /// - Throws: ``StoreFailure``.
    func append(
        _ lines: [[UInt8]],
        to journal: DocumentName,
        as id: String,
        unless recorded: [[UInt8]] = [],
        while isWanted: () throws(StoreFailure) -> Bool,
    ) throws(StoreFailure) {
        let added = lines.flatMap { $0 + [JournalTail.feed] }
        try appending.lock(of: journal).withLock { () throws(StoreFailure) in
            var attempt = 0
            // If this is outdated, the store rejects the write.
            var there = recorded.isEmpty ? journals[journal] : nil
            if there == nil { there = try segments(of: journal) }
            while true {
                if there?.tail.writes.contains(id) == true { return }
                if there == nil { try requireStore() }
                if let there, !recorded.isEmpty,
                    try hasLine(among: recorded, in: there, of: journal)
                {
                    return
                }
                if try add(added, to: journal, behind: there, as: id) { return }
                guard try isWanted() else { return }
                attempt += 1
                guard attempt < Self.appendAttempts else { throw .conflict(journal) }
                client.caller.timing.pause(
                    client.caller.timing.random() * 0.02 * Double(min(attempt, 10))
                )
                there = try segments(of: journal)
            }
        }
    }

    /// The most attempts; other servers may be faster each time.
    private static var appendAttempts: Int { 200 }

    /// - Returns: false if another writer was faster.
    private func add(
        _ added: [UInt8],
        to journal: DocumentName,
        behind there: JournalSegments?,
        as id: String,
    ) throws(StoreFailure) -> Bool {
        let isNew = there?.tail.isSealed ?? true
        let start = there.map { isNew ? $0.tail.end : $0.tail.start } ?? 0
        let bytes = (isNew ? [] : there?.tail.bytes ?? []) + added
        let condition: S3Condition =
            if !isNew, let there { .unchanged(there.tail.etag) } else { .absent }
        let write = S3Write(
            bytes,
            to: keys.segment(journal, at: start),
            if: condition,
            identifier: id,
            after: there?.tail.writes ?? [],
        )
        let outcome = try announcing(journal, isListed: there == nil) { () throws(StoreFailure) in
            let outcome = try remote { () throws(S3Failure) in try client.write(write) }
            guard case .stored(let etag) = outcome else { return (outcome, .unknown) }
            let tail = JournalTail(start: start, bytes: bytes, etag: etag, writes: write.kept)
            let starts = (there?.starts ?? []) + (isNew ? [start] : [])
            let segments = JournalSegments(starts: starts, tail: tail)
            journals.note(segments, of: journal, asked: .now)
            return (outcome, .made(Self.stamp(segments)))
        }
        switch outcome {
        case .stored: return true
        case .replaced: return true
        case .refused: return false
        }
    }

    package func lines(of journal: DocumentName) throws(StoreFailure) -> [[UInt8]] {
        guard let there = try current(journal) else { return [] }
        return try lines(in: there, of: journal)
    }

    private func lines(
        in there: JournalSegments,
        of journal: DocumentName,
    ) throws(StoreFailure) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for index in there.starts.indices {
            lines += try bytes(of: index, in: there, journal)
                .split(separator: JournalTail.feed).map(Array.init)
        }
        return lines
    }

    package func lines(
        of journal: DocumentName,
        from offset: Int,
        count: Int,
    ) throws(StoreFailure) -> [JournalLine] {
        guard let there = try current(journal), offset >= 0, offset < there.tail.end,
            let first = there.starts.lastIndex(where: { $0 <= offset })
        else { return [] }
        var lines: [JournalLine] = []
        var read = 0
        for index in first..<there.starts.count {
            let bytes = try bytes(of: index, in: there, journal)
            let start = there.starts[index]
            var position = max(0, offset - start)
            guard position == 0 || bytes[position - 1] == JournalTail.feed else { return [] }
            while lines.count < count, let end = bytes[position...].firstIndex(of: JournalTail.feed)
            {
                lines.append(
                    JournalLine(bytes: Array(bytes[position..<end]), end: start + end + 1)
                )
                position = end + 1
            }
            // An excessively long line does not prevent reading the lines after it.
            read = lines.count > 1 ? read + bytes.count : 0
            guard lines.count < count, read < Self.longestReading else { break }
        }
        return lines
    }

    package func lines(
        of journal: DocumentName,
        endingBy end: Int,
        within length: Int,
    ) throws(StoreFailure) -> [JournalLine] {
        guard let there = try current(journal) else { return [] }
        let end = min(end, there.tail.end)
        let start = max(0, end - length)
        let first = there.starts.lastIndex { $0 <= start } ?? 0
        var lines: [JournalLine] = []
        for index in first..<there.starts.count where there.starts[index] < end {
            var position = there.starts[index]
            let pieces = try bytes(of: index, in: there, journal)
                .split(separator: JournalTail.feed, omittingEmptySubsequences: false)
            // Nothing follows the last line feed.
            for bytes in pieces.dropLast() {
                let line = JournalLine(bytes: Array(bytes), end: position + bytes.count + 1)
                if position >= start, line.end <= end { lines.append(line) }
                position = line.end
            }
        }
        return lines
    }

    package func end(of journal: DocumentName) throws(StoreFailure) -> Int {
        // A line from another server is seen as soon as it has been announced.
        if case .some(let stamp) = news.stamp(of: journal.path) {
            guard let stamp else { return 0 }
            if let known = journals[journal], Self.stamp(known) == stamp { return known.tail.end }
        }
        let moment = news.moment()
        let there = try current(journal)
        news.keep(there.map(Self.stamp), of: journal.path, since: moment)
        return there?.tail.end ?? 0
    }

    /// A stamp that changes with every line added.
    static func stamp(_ segments: JournalSegments) -> ChangeStamp {
        stamp("\(segments.tail.start) \(segments.tail.etag)")
    }

    package func startOfLine(
        in journal: DocumentName,
        near offset: Int,
    ) throws(StoreFailure) -> Int {
        guard offset > 0, let there = try current(journal) else { return 0 }
        guard offset < there.tail.end,
            let index = there.starts.lastIndex(where: { $0 < offset })
        else { return there.tail.end }
        let bytes = try bytes(of: index, in: there, journal)
        let start = there.starts[index]
        return bytes[(offset - 1 - start)...].firstIndex(of: JournalTail.feed)
            .map { start + $0 + 1 } ?? there.tail.end
    }

    /// The number of bytes after which a read of a journal stops.
    private static var longestReading: Int { 4 << 20 }

    /// The current segments.
    private func current(_ journal: DocumentName) throws(StoreFailure) -> JournalSegments? {
        if case .some(.some(let stamp)) = news.stamp(of: journal.path), news.isFollowed,
            let known = journals[journal], Self.stamp(known) == stamp
        {
            return known
        }
        let there = try segments(of: journal)
        if there == nil { try requireStore() }
        return there
    }

    /// Finds the current segments, by one conditional GET without a body if no line was added.
    func segments(of journal: DocumentName) throws(StoreFailure) -> JournalSegments? {
        let asked = ContinuousClock.now
        var there = journals[journal]
        if let known = there {
            let key = keys.segment(journal, at: known.tail.start)
            let reading = try remote { () throws(S3Failure) in
                try client.read(key, unless: known.tail.etag)
            }
            switch reading {
            case .known: break
            case .found(let object): there?.tail = JournalTail(object, at: known.tail.start)
            case .missing, .changed: there = nil
            }
        }
        if there == nil { there = try listed(journal) }
        // Segments that were added after the known one.
        while let last = there?.tail, last.isSealed {
            guard case .found(let object) = try segment(of: journal, at: last.end) else { break }
            there?.starts.append(last.end)
            there?.tail = JournalTail(object, at: last.end)
        }
        journals.note(there, of: journal, asked: asked)
        return there
    }

    private func listed(_ journal: DocumentName) throws(StoreFailure) -> JournalSegments? {
        let prefix = keys.segments(journal)
        let listing = try remote { () throws(S3Failure) in try client.list(under: prefix) }
        let starts = listing.objects
            .compactMap {
                Int(String(decoding: $0.key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
            }
            .filter { $0 >= 0 }
            .sorted()
        guard let last = starts.last,
            case .found(let object) = try segment(of: journal, at: last)
        else { return nil }
        return JournalSegments(starts: starts, tail: JournalTail(object, at: last))
    }

    func segment(
        of journal: DocumentName,
        at start: Int,
    ) throws(StoreFailure) -> S3Client.Reading {
        let key = keys.segment(journal, at: start)
        return try remote { () throws(S3Failure) in try client.read(key) }
    }

    /// The complete lines of a segment.
    private func bytes(
        of index: Int,
        in there: JournalSegments,
        _ journal: DocumentName,
    ) throws(StoreFailure) -> [UInt8] {
        guard index < there.starts.count - 1 else { return there.tail.bytes }
        let (start, end) = (there.starts[index], there.starts[index + 1])
        guard case .found(let object) = try segment(of: journal, at: start),
            object.bytes.count >= end - start
        else {
            throw .unreadable(
                path: keys.path(keys.segment(journal, at: start)),
                offset: nil,
                reason: "the segment does not reach the next one",
            )
        }
        return Array(object.bytes.prefix(end - start))
    }

    private func hasLine(
        among wanted: [[UInt8]],
        in there: JournalSegments,
        of journal: DocumentName,
    ) throws(StoreFailure) -> Bool {
        // As for a store in a folder, a long journal is not read but assumed to have the line.
        guard there.tail.end <= 8 << 20 else { return true }
        let wanted = Set(wanted)
        return try lines(in: there, of: journal).contains(where: wanted.contains)
    }
}
