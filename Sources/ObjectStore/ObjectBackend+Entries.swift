import Cryptography
import Essentials
import S3
package import Store

/// Changes a document and its journal lines atomically, even if the process ends in between.
///
/// The lines are written to a separate object before the change, and the metadata of the document refers to
/// it. Before such a document is replaced, its lines are added to the journal; lines to which no document
/// refers belong to a change that was not made.
extension ObjectBackend {
    package func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry,
    ) throws(StoreFailure) -> DocumentVersion {
        try write(bytes, to: name, if: condition, adding: .some(entry))
    }

    package func delete(
        _ name: DocumentName,
        at version: DocumentVersion,
        adding entry: JournalEntry,
    ) throws(StoreFailure) {
        try delete(name, at: version, adding: .some(entry))
    }

    /// A server, which calls this often, asks the store only every few seconds, because only a server that
    /// died leaves pending entries.
    package func completeEntries() {
        guard !news.isFollowed || completions.isDue(every: Self.completing),
            let waiting = try? client.list(under: keys.entries), let now = waiting.date
        else { return }
        for object in waiting.objects {
            let id = String(
                decoding: object.key.utf8.dropFirst(keys.entries.utf8.count),
                as: UTF8.self,
            )
            let age = object.modified.map { now.timeIntervalSince($0) } ?? 0
            try? complete(id, isAbandoned: age > Self.abandonedAfter)
        }
    }

    package func completeEntry(of name: DocumentName) throws(StoreFailure) {
        if let there = try object(at: keys.key(name)), let entry = there.entry {
            try finish(entry, in: there.journal)
        }
    }

    private static var completing: Duration { .seconds(5) }

    /// Seconds after which no writer is still working on a change with pending lines; each gives up long
    /// before.
    private static var abandonedAfter: TimeInterval { 3_600 }

    /// Makes a change together with the lines of `entry`, which are durable before the change starts.
    ///
    /// If they cannot be added to the journal now, they are added later.
    ///
    /// - Returns: whether nothing is pending.
    @discardableResult
    func recording(
        _ entry: JournalEntry?,
        with name: DocumentName,
        _ body: (String?) throws(StoreFailure) -> Void,
    ) throws(StoreFailure) -> Bool {
        guard let entry else {
            try body(nil)
            return true
        }
        let id = identifier()
        try replace(try WaitingEntry(entry, with: name).bytes(), at: keys.entry(id))
        do throws(StoreFailure) {
            try body(id)
        } catch {
            // After any other error it is unknown whether the change was made.
            if case .conflict = error { try? remove(keys.entry(id)) }
            throw error
        }
        return (try? add(entry, as: id)) != nil
    }

    /// Adds the lines of an entry to its journal, unless they are already there.
    ///
    /// - Parameters:
    ///   - id: the entry's identifier.
    ///   - journal: the path of its journal, whose metadata often shows that it has the lines; nil if
    ///     unknown.
    /// - Throws: ``StoreFailure``.
    func finish(_ id: String, in journal: String?) throws(StoreFailure) {
        guard !journalled.contains(id) else { return }
        // Once it has been in the journal, it stays there.
        if let journal, let name = try? DocumentName(path: journal),
            journals[name]?.tail.writes.contains(id) == true
        {
            return journalled.insert(id)
        }
        // The caller usually appends to the same journal, and so has to read it anyway.
        if let journal, let name = try? DocumentName(path: journal),
            try segments(of: name)?.tail.writes.contains(id) == true
        {
            return journalled.insert(id)
        }
        guard let waiting = try waitingEntry(id) else { return journalled.insert(id) }
        try add(try waiting.entry(), as: id)
    }

    private func add(_ entry: JournalEntry, as id: String) throws(StoreFailure) {
        try append(entry.lines, to: entry.journal, as: id) { () throws(StoreFailure) in
            // If the lines are no longer pending, another writer has added them.
            try remote { () throws(S3Failure) in try client.facts(of: keys.entry(id)) } != nil
        }
        journalled.insert(id)
        try remove(keys.entry(id))
    }

    private func complete(_ id: String, isAbandoned: Bool) throws(StoreFailure) {
        guard let waiting = try waitingEntry(id) else { return }
        let name = try DocumentName(path: waiting.document)
        if try object(at: keys.key(name))?.entry == id {
            try add(try waiting.entry(), as: id)
        } else if isAbandoned {
            try remove(keys.entry(id))
        }
    }

    private func waitingEntry(_ id: String) throws(StoreFailure) -> WaitingEntry? {
        let key = keys.entry(id)
        let reading = try remote { () throws(S3Failure) in try client.read(key) }
        guard case .found(let object) = reading else { return nil }
        return try WaitingEntry(object.bytes, at: keys.path(key))
    }
}

/// Journal lines that are pending while a document is changed.
struct WaitingEntry: Codable, Equatable {
    let document: String
    let journal: String
    let lines: [String]

    init(_ entry: JournalEntry, with document: DocumentName) {
        self.document = document.path
        journal = entry.journal.path
        lines = entry.lines.map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Throws: ``StoreFailure/unreadable(path:offset:reason:)`` for anything but the result of
    ///   ``bytes()``.
    init(_ bytes: [UInt8], at path: String) throws(StoreFailure) {
        do {
            self = try JSONDecoder().decode(WaitingEntry.self, from: Data(bytes))
        } catch {
            throw .unreadable(path: path, offset: nil, reason: "it is not a journal entry")
        }
    }

    /// The contents of the object.
    func bytes() throws(StoreFailure) -> [UInt8] {
        try KeptJSON.bytes(self, at: journal, refusal: "its line has no JSON form")
    }

    func entry() throws(StoreFailure) -> JournalEntry {
        JournalEntry(journal: try DocumentName(path: journal), lines: lines.map { Array($0.utf8) })
    }
}
