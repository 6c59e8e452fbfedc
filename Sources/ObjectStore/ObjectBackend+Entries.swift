import Cryptography
import Essentials
import S3
package import Store

/// A change of a document and its lines in a journal: both, wherever the process ends.
///
/// The lines are an object of their own before the change begins, and the document says in its metadata
/// which lines came with it. Whoever takes the place of such a document adds them to the journal first,
/// so lines that no document names belong to a change that was not made.
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

    /// A server, which looks again and again, asks the store every few seconds only: another server that
    /// died is what leaves any.
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

    /// Seconds after which no writer still works on a change whose lines wait: each gives up long before.
    private static var abandonedAfter: TimeInterval { 3_600 }

    /// Makes a change with the lines of `entry`, which last before it begins.
    ///
    /// Lines that the journal does not take now come to it later.
    ///
    /// - Returns: whether nothing waits any more.
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
            // Of any other failure no one knows whether the change was made.
            if case .conflict = error { try? remove(keys.entry(id)) }
            throw error
        }
        return (try? add(entry, as: id)) != nil
    }

    /// Adds the lines of an entry to its journal, unless they are there.
    ///
    /// - Parameters:
    ///   - id: of the entry.
    ///   - journal: the path of its journal, which often says that it has them; nil for an unknown one.
    /// - Throws: ``StoreFailure``.
    func finish(_ id: String, in journal: String?) throws(StoreFailure) {
        guard !journalled.contains(id) else { return }
        // Where it was once, it stays.
        if let journal, let name = try? DocumentName(path: journal),
            journals[name]?.tail.writes.contains(id) == true
        {
            return journalled.insert(id)
        }
        // The change that finds the entry mostly adds to the same journal, and reads it all the same.
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
            // Another one has added them if they no longer wait.
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

/// The lines of a journal that wait for a change of a document.
struct WaitingEntry: Codable, Equatable {
    let document: String
    let journal: String
    let lines: [String]

    init(_ entry: JournalEntry, with document: DocumentName) {
        self.document = document.path
        journal = entry.journal.path
        lines = entry.lines.map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Throws: ``StoreFailure/unreadable(path:offset:reason:)`` for anything but what ``bytes()`` gave.
    init(_ bytes: [UInt8], at path: String) throws(StoreFailure) {
        do {
            self = try JSONDecoder().decode(WaitingEntry.self, from: Data(bytes))
        } catch {
            throw .unreadable(path: path, offset: nil, reason: "it is not a journal entry")
        }
    }

    /// How it is kept.
    func bytes() throws(StoreFailure) -> [UInt8] {
        try KeptJSON.bytes(self, at: journal, refusal: "its line has no JSON form")
    }

    func entry() throws(StoreFailure) -> JournalEntry {
        JournalEntry(journal: try DocumentName(path: journal), lines: lines.map { Array($0.utf8) })
    }
}
