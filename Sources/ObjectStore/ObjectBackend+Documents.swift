import Cryptography
package import Store
import S3

/// Stores each document as an object; the version that it replaces is kept before it is written.
extension ObjectBackend {
    package func read(_ name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        if name.isOfUploads { return try spool.read(name) }
        guard !name.isJournal else { return try journalDocument(name) }
        return try present(name).map { StoredDocument(bytes: $0.bytes) }
    }

    package func assumed(_ name: DocumentName) -> StoredDocument? {
        guard !name.isJournal, !name.isOfUploads, let there = known[keys.key(name)],
            !there.isDeleted
        else { return nil }
        if !news.isFollowed {
            guard case .some(.some(let stamp)) = news.stamp(of: name.path),
                stamp == Self.stamp(there.etag.text)
            else { return nil }
        }
        return StoredDocument(bytes: there.bytes)
    }

    package func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion {
        try write(bytes, to: name, if: condition, adding: nil)
    }

    package func delete(
        _ name: DocumentName,
        at version: DocumentVersion,
    ) throws(StoreFailure) {
        try delete(name, at: version, adding: nil)
    }

    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry?,
    ) throws(StoreFailure) -> DocumentVersion {
        if name.isOfUploads {
            return try writeLocally(bytes, to: name, if: condition, adding: entry)
        }
        let isListed = condition == .absent || condition == .lost
        // Checked before the announcement, which invalidates it, unless that has been made already.
        let lately = announcements.latest(of: name.path, within: news.timing.settling / 4)
        let isNew = condition == .absent && (lately?.wasAbsent ?? isKnownAbsent(name))
        return try announcing(name, isListed: isListed) { () throws(StoreFailure) in
            try writeUnannounced(bytes, to: name, if: condition, adding: entry, asNew: isNew)
        }
    }

    private func writeUnannounced(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry?,
        asNew isNew: Bool,
    ) throws(StoreFailure) -> (DocumentVersion, NewsInMemory.Outcome) {
        guard !name.isJournal else {
            return (try writeJournal(bytes, to: name, if: condition), .unknown)
        }
        try confirmBlobs(of: bytes)
        let version = DocumentVersion(of: bytes)
        var stored: ETag?
        try recording(entry, with: name) { pending throws(StoreFailure) in
            stored = try change(name, if: condition, asNew: isNew) { there throws(StoreFailure) in
                var previous = there?.previous
                switch condition {
                case .version:
                    guard let there, let kept = try keepPrevious(there, of: name) else {
                        return nil
                    }
                    previous = kept.etag
                case .undone:
                    guard let there else { return nil }
                    try replace(there.bytes, at: keys.undone(name))
                case .absent, .lost: previous = nil
                }
                return DocumentObject.Draft(
                    bytes: bytes,
                    entry: pending,
                    journal: pending == nil ? nil : entry?.journal.path,
                    isDeleted: false,
                    previous: previous,
                )
            }
            if condition == .absent, name.hasGenerations {
                // Records that the document should exist.
                try replace(bytes, at: keys.previous(name))
            }
        }
        return (version, stored.map { .made(Self.stamp($0.text)) } ?? .unknown)
    }

    func delete(
        _ name: DocumentName,
        at version: DocumentVersion,
        adding entry: JournalEntry?,
    ) throws(StoreFailure) {
        if name.isOfUploads { return try deleteLocally(name, at: version, adding: entry) }
        try announcing(name, isListed: true) { () throws(StoreFailure) in
            try deleteUnannounced(name, at: version, adding: entry)
            return ((), .made(nil))
        }
    }

    private func deleteUnannounced(
        _ name: DocumentName,
        at version: DocumentVersion,
        adding entry: JournalEntry?,
    ) throws(StoreFailure) {
        let key = keys.key(name)
        let isComplete = try recording(entry, with: name) { pending throws(StoreFailure) in
            try change(name, if: .version(version)) { _ throws(StoreFailure) in
                DocumentObject.Draft(
                    bytes: [],
                    entry: pending,
                    journal: pending == nil ? nil : entry?.journal.path,
                    isDeleted: true,
                )
            }
            // The mark of the deletion stays until nothing is left that would make the document seem lost.
            try forgetGenerations(of: name)
        }
        if isComplete, conditions.holdForDeletion, let mark = known[key], mark.isDeleted {
            _ = try? client.delete(key, if: .unchanged(mark.etag))
            known.forget(key)
        }
    }

    package func names(in folder: DocumentName) throws(StoreFailure) -> [String] {
        if folder.isOfUploads { return try spool.names(in: folder) }
        let names = try list(folder)?.names ?? []
        if names.isEmpty { try requireStore() }
        return names
    }

    /// Lists a folder and caches the result; nil if it is empty.
    func list(_ folder: DocumentName) throws(StoreFailure) -> KnownLists.List? {
        let prefix = keys.key(folder) + "/"
        func last(_ key: String) -> String {
            let end = key.utf8.last == UInt8(ascii: "/") ? 1 : 0
            return String(
                decoding: key.utf8.dropFirst(prefix.utf8.count).dropLast(end),
                as: UTF8.self,
            )
        }
        let asked = ContinuousClock.now
        let listing = try remote { () throws(S3Failure) in
            try client.list(under: prefix, oneLevel: true)
        }
        guard !listing.objects.isEmpty || !listing.folders.isEmpty else {
            lists[folder] = nil
            return nil
        }
        noteStoreFound()
        var names = Set(listing.folders.map(last))
        for object in listing.objects where try !isDeleted(object) {
            names.insert(last(object.key))
        }
        let objects = listing.objects.map { "\($0.key) \($0.etag?.text ?? "")" }
        let list = KnownLists.List(
            stamp: Self.stamp((objects + listing.folders).joined(separator: "\n")),
            names: names.filter(DocumentName.isAllowed).sorted(),
            keys: Set(listing.folders.map(last)).union(listing.objects.map { last($0.key) }),
            asked: asked,
        )
        lists[folder] = list
        return list
    }

    package func confirm(_ name: DocumentName) throws(StoreFailure) {}

    package func previous(of name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        try object(at: keys.previous(name)).map { StoredDocument(bytes: $0.bytes) }
    }

    package func undone(of name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        try object(at: keys.undone(name)).map { StoredDocument(bytes: $0.bytes) }
    }

    package func forgetPrevious(of name: DocumentName) throws(StoreFailure) {
        let there = name.hasGenerations ? try object(at: keys.key(name)) : nil
        guard let there, !there.isDeleted else { return try forgetGenerations(of: name) }
        try remove(keys.undone(name))
        try replace(there.bytes, at: keys.previous(name))
    }

    /// The document; nil if it does not exist and nothing shows that it should.
    ///
    /// - Throws: ``StoreFailure/lost(_:)`` and ``StoreFailure/gone(path:)``.
    func present(_ name: DocumentName) throws(StoreFailure) -> DocumentObject? {
        // A writer may create the document between the two checks; the next attempt then finds it.
        for _ in 0..<3 {
            if let found = try object(at: keys.key(name)) {
                return found.isDeleted ? nil : found
            }
            guard try hasEarlierGeneration(name) else {
                try requireStore()
                return nil
            }
        }
        throw .lost(name)
    }

    /// Whether a document that does not exist should exist.
    func hasEarlierGeneration(_ name: DocumentName) throws(StoreFailure) -> Bool {
        guard name.hasGenerations else { return false }
        return try remote { () throws(S3Failure) in
            try client.facts(of: keys.previous(name))
        } != nil
    }

    /// Reads an object, or finds that the cached one is current.
    func object(at key: String) throws(StoreFailure) -> DocumentObject? {
        let before = known[key]
        let reading = try remote { () throws(S3Failure) in
            try client.read(key, unless: before?.etag)
        }
        switch reading {
        case .known:
            noteStoreFound()
            if let before { return before }
        case .found(let object):
            noteStoreFound()
            let found = DocumentObject(object)
            known.note(found, at: key)
            return found
        case .missing, .changed: break
        }
        known.forget(key)
        return nil
    }

    /// Whether an object in a list marks a deleted document.
    func isDeleted(_ listed: S3Listed) throws(StoreFailure) -> Bool {
        guard listed.size == 0 else { return false }
        let facts = try remote { () throws(S3Failure) in try client.facts(of: listed.key) }
        return facts.map { $0.metadata[DocumentObject.deletedName] != nil } ?? true
    }

    /// Overwrites an object unconditionally.
    func replace(_ bytes: [UInt8], at key: String) throws(StoreFailure) {
        known.forget(key)
        _ = try remote { () throws(S3Failure) in
            try client.write(S3Write(bytes, to: key, if: .none, identifier: identifier()))
        }
    }

    func remove(_ key: String) throws(StoreFailure) {
        known.forget(key)
        _ = try remote { () throws(S3Failure) in try client.delete(key) }
    }

    func forgetGenerations(of name: DocumentName) throws(StoreFailure) {
        guard name.hasGenerations else { return }
        try remove(keys.undone(name))
        try remove(keys.previous(name))
    }
}
