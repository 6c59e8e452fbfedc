import S3
package import Store

/// Reads and writes journals as documents, and erases data in them that must not be kept.
extension ObjectBackend {
    package func overwrite(
        _ old: [UInt8],
        with new: [UInt8],
        in journal: DocumentName,
    ) throws(StoreFailure) {
        guard old.count == new.count, !old.isEmpty else { return }
        try rewrite(journal) { bytes, _ in
            let ranges = bytes.ranges(of: old)
            for range in ranges { bytes.replaceSubrange(range, with: new) }
            return !ranges.isEmpty
        }
    }

    package func blank(
        _ range: Range<Int>,
        of journal: DocumentName,
    ) throws(StoreFailure) {
        try rewrite(journal) { bytes, start in
            let inside = range.clamped(to: start..<start + bytes.count)
            for index in inside { bytes[index - start] = UInt8(ascii: " ") }
            return !inside.isEmpty
        }
    }

    /// Changes the bytes of segments without changing their lengths.
    ///
    /// - Parameters:
    ///   - journal: the journal.
    ///   - change: gets the bytes of a segment and the offset at which it starts; returns whether it
    ///     changed them.
    /// - Throws: ``StoreFailure``.
    private func rewrite(
        _ journal: DocumentName,
        _ change: (inout [UInt8], Int) -> Bool,
    ) throws(StoreFailure) {
        try announcing(journal, isListed: false) { () throws(StoreFailure) in
            try rewriteUnannounced(journal, change)
            return ((), .unknown)
        }
    }

    private func rewriteUnannounced(
        _ journal: DocumentName,
        _ change: (inout [UInt8], Int) -> Bool,
    ) throws(StoreFailure) {
        try appending.lock(of: journal).withLock { () throws(StoreFailure) in
            guard let there = try segments(of: journal) else { return }
            defer { journals.forget(journal) }
            for start in there.starts {
                var isDone = false
                while !isDone {
                    guard case .found(let object) = try segment(of: journal, at: start) else {
                        break
                    }
                    var bytes = object.bytes
                    guard change(&bytes, start) else { break }
                    let write = S3Write(
                        bytes,
                        to: keys.segment(journal, at: start),
                        if: .unchanged(object.facts.etag),
                        identifier: identifier(),
                        after: object.facts.writes,
                    )
                    let outcome = try remote { () throws(S3Failure) in try client.write(write) }
                    isDone = outcome != .refused
                }
            }
        }
    }

    /// All lines of a journal; nil if it does not exist.
    func journalDocument(_ journal: DocumentName) throws(StoreFailure) -> StoredDocument? {
        guard try segments(of: journal) != nil else {
            try requireStore()
            return nil
        }
        let lines = try lines(of: journal)
        return StoredDocument(bytes: lines.flatMap { $0 + [JournalTail.feed] })
    }

    /// Creates a journal with lines from another store.
    func writeJournal(
        _ bytes: [UInt8],
        to journal: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion {
        guard condition == .absent || condition == .lost, try segments(of: journal) == nil else {
            throw .conflict(journal)
        }
        var start = 0
        let whole = JournalTail.wholeLines(bytes)
        while start < whole.count {
            var end = min(start + Self.longestSegment, whole.count)
            end = whole[(end - 1)...].firstIndex(of: JournalTail.feed).map { $0 + 1 } ?? whole.count
            let write = S3Write(
                Array(whole[start..<end]),
                to: keys.segment(journal, at: start),
                if: .absent,
                identifier: identifier(),
            )
            guard try remote({ () throws(S3Failure) in try client.write(write) }) != .refused else {
                throw .conflict(journal)
            }
            start = end
        }
        return DocumentVersion(of: bytes)
    }

    /// In bytes; a segment may exceed this to complete its last line.
    private static var longestSegment: Int { 1 << 20 }
}
