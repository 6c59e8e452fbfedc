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

    /// Adds lines once, whatever number of writers does so under this identifier.
    ///
    /// - Parameters:
    ///   - lines: without line feeds.
    ///   - journal: what to add them to.
    ///   - id: of this addition.
    ///   - recorded: lines of which none may be there: the write depends on nothing having been added since
    ///     they were looked for.
    ///   - isWanted: asked once another one has added to the journal meanwhile.
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
            // The store refuses what is known and no longer so.
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

    /// Other servers may come first as often.
    private static var appendAttempts: Int { 200 }

    /// - Returns: false where another writer came first.
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
            // A line that is longer than any of ours does not keep what follows it from being read.
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
            // Behind the last line feed there is nothing.
            for bytes in pieces.dropLast() {
                let line = JournalLine(bytes: Array(bytes), end: position + bytes.count + 1)
                if position >= start, line.end <= end { lines.append(line) }
                position = line.end
            }
        }
        return lines
    }

    package func end(of journal: DocumentName) throws(StoreFailure) -> Int {
        // What another server adds is seen as soon as it is in the news.
        if case .some(let stamp) = news.stamp(of: journal.path) {
            guard let stamp else { return 0 }
            if let known = journals[journal], Self.stamp(known) == stamp { return known.tail.end }
        }
        let moment = news.moment()
        let there = try current(journal)
        news.keep(there.map(Self.stamp), of: journal.path, since: moment)
        return there?.tail.end ?? 0
    }

    /// What differs once a line has been added.
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

    /// Bytes of a journal that a follower reads at once, and some more.
    private static var longestReading: Int { 4 << 20 }

    /// The segments as they are now.
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

    /// Looks which segments there are: with one request that carries nothing where no line has come.
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
        // Segments that have been added behind the one that is known.
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

    /// The whole lines of a segment.
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
        // As in a folder: one that has grown long is not read for it, and is taken to have the line.
        guard there.tail.end <= 8 << 20 else { return true }
        let wanted = Set(wanted)
        return try lines(in: there, of: journal).contains(where: wanted.contains)
    }
}
