import Bytes
import Cryptography
import Releases

/// Copies a whole store from one place to another, such as from a folder into a bucket.
///
/// Everything in the target is read back and compared. `store.json`, without which a place is not a store,
/// is written last; until then, a document in the target records which store is being copied, so that the
/// same command continues after an interruption.
package struct StoreCopy {
    package struct Summary: Codable, Sendable, Equatable {
        package internal(set) var documents = 0
        package internal(set) var blobs = 0
        /// The total size of the blobs in bytes.
        package internal(set) var bytes = 0
        /// Blobs that an earlier call had copied.
        package internal(set) var blobsThere = 0
        /// The teams in whose developer accounts the copy changes nothing until an admin agrees again.
        package internal(set) var withdrawnAgreements: [String] = []
    }

    /// The contents of ``markName``.
    struct Mark: Codable, Equatable {
        var schema = 1
        let instance: String
        /// The location of the store that is being copied.
        ///
        /// A store and its copies have the same instance, but not the same contents.
        var source: String?
    }

    /// The document that records which store is being copied.
    static let markName = DocumentName(known: "copy.json")
    /// The most passes over a source that keeps changing.
    private static let passes = 10

    private let source: any Backend
    private let target: any Backend
    private var copied: [DocumentName: DocumentVersion] = [:]
    private var proven: Set<SHA256Digest> = []
    private var summary = Summary()

    /// Copies the store `source` to `target`, an empty place or one with an interrupted copy of the same
    /// store.
    ///
    /// Changes of the source during the copy are copied too; unfinished uploads are not.
    ///
    /// - Parameters:
    ///   - source: the store to copy.
    ///   - target: where to copy it.
    ///   - progress: gets the number of blobs copied and the number of all blobs.
    /// - Returns: what the target now contains.
    /// - Throws: ``StoreFailure/insideSource(path:)`` for a target inside the source,
    ///   ``StoreFailure/otherCopy(path:source:)`` for a target with an interrupted copy of another store,
    ///   ``StoreFailure/notEmpty(path:)`` for a target with anything else in it,
    ///   ``StoreFailure/conflict(_:)`` for a source that keeps changing, and the errors of reading and
    ///   writing; calling it again then continues.
    package static func run(
        from source: any Backend,
        to target: any Backend,
        progress: (Int, Int) -> Void = { _, _ in },
    ) throws(StoreFailure) -> Summary {
        // It would find its own output in the next pass, and copy that too.
        guard !target.location.hasBytes(first: source.location + "/") else {
            throw .insideSource(path: target.location)
        }
        var copy = StoreCopy(source, to: target)
        return try copy.run(progress)
    }

    private init(_ source: any Backend, to target: any Backend) {
        self.source = source
        self.target = target
    }

    private mutating func run(_ progress: (Int, Int) -> Void) throws(StoreFailure) -> Summary {
        guard let document = try source.read(.settings) else {
            throw .missing(path: source.location)
        }
        let settings = try DocumentCoding.decode(
            StoreSettings.self,
            from: document.bytes,
            path: DocumentName.settings.path,
        )
        if try begin(settings.instance) { return try leave() }
        // The next pass finds changes of the source during this one.
        var pass = 1
        while try copyOnce(progress) {
            guard pass < Self.passes else { throw .conflict(.settings) }
            pass += 1
        }
        try finish()
        return summary
    }

    /// Marks the target as a copy of the store.
    ///
    /// - Returns: whether the copy is complete because an earlier call ended just before it removed its
    ///   mark. The target may then be in use, and must not be changed.
    private func begin(_ instance: String) throws(StoreFailure) -> Bool {
        let mark = Mark(instance: instance, source: source.location)
        if let known = try Self.mark(of: target) {
            let isComplete = try target.read(.settings) != nil
            guard known.instance == instance, [nil, source.location].contains(known.source) else {
                throw isComplete
                    ? .notEmpty(path: target.location)
                    : .otherCopy(path: target.location, source: known.source)
            }
            return isComplete
        }
        guard try target.read(.settings) == nil, try target.obstacle() == nil else {
            throw .notEmpty(path: target.location)
        }
        let bytes = try DocumentCoding.encode(mark, for: Self.markName)
        _ = try target.write(bytes, to: Self.markName, if: .absent)
        return false
    }

    /// The mark of a place that is the target of an interrupted copy; nil for any other place.
    static func mark(of place: any Backend) throws(StoreFailure) -> Mark? {
        guard let there = try place.read(markName) else { return nil }
        return try DocumentCoding.decode(Mark.self, from: there.bytes, path: markName.path)
    }

    /// Counts what an earlier call has copied, and removes its mark.
    private mutating func leave() throws(StoreFailure) -> Summary {
        summary.documents = try target.documents().count { $0 != Self.markName }
        for blob in try target.blobs() {
            summary.blobs += 1
            summary.blobsThere += 1
            summary.bytes += try target.facts(of: blob)?.size ?? 0
        }
        try Self.removeMark(from: target)
        return summary
    }

    /// Removes the mark of a copy that ended between its last two steps.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    static func removeMark(from store: any Backend) throws(StoreFailure) -> Bool {
        guard let mark = try store.read(markName) else { return false }
        try store.delete(markName, at: mark.version)
        return true
    }

    /// - Returns: whether anything in the target differed from the source.
    private mutating func copyOnce(
        _ progress: (Int, Int) -> Void
    ) throws(StoreFailure) -> Bool {
        source.completeEntries()
        var hasChanged = false
        // Blobs first, because a document must never refer to a missing blob. The next pass copies blobs
        // that are added meanwhile.
        let blobs = try source.blobs()
        for (index, blob) in blobs.enumerated() where !proven.contains(blob) {
            progress(index, blobs.count)
            try copy(blob)
            hasChanged = true
        }
        progress(blobs.count, blobs.count)
        let names = try source.documents().filter(Self.isCopied)
        for name in names {
            guard let document = try source.read(name), copied[name] != document.version else {
                continue
            }
            try copy(document, as: name)
            copied[name] = document.version
            hasChanged = true
        }
        let wanted = Set(names)
        for name in try target.documents()
        where Self.isCopied(name) && name != Self.markName && !wanted.contains(name) {
            guard let there = try target.read(name) else { continue }
            try target.delete(name, at: there.version)
            copied[name] = nil
            hasChanged = true
        }
        summary.documents = copied.count + 1
        return hasChanged
    }

    /// Everything but the settings, which are copied last, the mark, and unfinished uploads.
    private static func isCopied(_ name: DocumentName) -> Bool {
        name != .settings && name != markName
            && name.components.first != DocumentName.uploads.components.first
    }

    private mutating func copy(_ blob: SHA256Digest) throws(StoreFailure) {
        let stored: StoredBlob
        do throws(StoreFailure) {
            stored = try source.open(blob)
        } catch {
            // Garbage-collected after the listing.
            if case .missingBlob = error { return }
            throw error
        }
        let hasSize = try target.facts(of: blob)?.size == stored.size
        if hasSize, try isWhole(blob) {
            summary.blobsThere += 1
        } else {
            try send(stored)
            guard try isWhole(blob) else {
                throw .damagedBlob(blob, path: "\(target.location): \(blob)")
            }
        }
        proven.insert(blob)
        summary.blobs += 1
        summary.bytes += stored.size
    }

    private func isWhole(_ blob: SHA256Digest) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            try OTAStore(backend: target).check(blob)
            return true
        } catch {
            if case .damagedBlob = error { return false }
            throw error
        }
    }

    private func send(_ stored: StoredBlob) throws(StoreFailure) {
        let incoming = try target.receive()
        let hasher = SHA256Hasher()
        var offset = 0
        while offset < stored.size {
            let piece: [UInt8]
            do throws(SourceFailure) {
                let count = min(1 << 20, stored.size - offset)
                piece = try stored.source.bytes(at: offset, count: count)
            } catch {
                let path = stored.path ?? stored.digest.description
                throw .unreadable(path: path, offset: error.offset, reason: error.reason)
            }
            hasher.update(piece)
            offset += piece.count
            var failure: StoreFailure?
            unsafe piece.withUnsafeBytes { buffer in
                do throws(StoreFailure) {
                    try unsafe incoming.append(buffer)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
        guard hasher.finish() == stored.digest else {
            throw .damagedBlob(stored.digest, path: stored.path ?? stored.digest.description)
        }
        try incoming.commit(as: stored.digest)
    }

    /// Writes a document or a journal, and reads it back.
    private func copy(_ document: StoredDocument, as name: DocumentName) throws(StoreFailure) {
        let there = try target.read(name)
        if there?.version != document.version {
            if let there, name.isJournal {
                try extend(there, to: document, name)
            } else {
                let condition = there.map { WriteCondition.version($0.version) } ?? .absent
                _ = try target.write(document.bytes, to: name, if: condition)
            }
        }
        guard try target.read(name)?.version == document.version else { throw .conflict(name) }
    }

    /// Appends the lines that were added to a journal since an earlier pass.
    private func extend(
        _ there: StoredDocument,
        to document: StoredDocument,
        _ journal: DocumentName,
    ) throws(StoreFailure) {
        guard document.bytes.starts(with: there.bytes) else {
            throw .notEmpty(path: "\(target.location): \(journal)")
        }
        let lines = document.bytes[there.bytes.count...].split(separator: UInt8(ascii: "\n"))
        for line in lines { try target.append(Array(line), to: journal, unless: []) }
    }

    /// Makes the target a store by writing its settings.
    private mutating func finish() throws(StoreFailure) {
        let store = OTAStore(backend: target)
        // The original store may still be at work in the developer accounts.
        summary.withdrawnAgreements = try store.withdrawAgreements()
        try target.keepEarlierGenerations()
        guard let settings = try source.read(.settings) else {
            throw .missing(path: source.location)
        }
        if try target.read(.settings) == nil {
            _ = try target.write(settings.bytes, to: .settings, if: .absent)
        }
        guard try target.read(.settings)?.version == settings.version else {
            throw .conflict(.settings)
        }
        try Self.removeMark(from: target)
        target.noteStore()
    }
}
