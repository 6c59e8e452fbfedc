import S3
import Store

extension DocumentObject {
    /// The new contents of a document's object.
    struct Draft {
        let bytes: [UInt8]
        /// The journal entry that is written with it.
        let entry: String?
        /// The path of that journal.
        var journal: String?
        let isDeleted: Bool
        /// As in ``DocumentObject/previous``.
        var previous: ETag?

        var metadata: [String: String] {
            var metadata: [String: String] = [:]
            if let entry { metadata[DocumentObject.entryName] = entry }
            if let journal { metadata[DocumentObject.journalName] = journal }
            if isDeleted { metadata[DocumentObject.deletedName] = "1" }
            if let previous { metadata[DocumentObject.previousName] = previous.text }
            return metadata
        }
    }
}

/// The kept previous version; the ETag is nil if none is kept.
struct KeptGeneration {
    let etag: ETag?
}

extension ObjectBackend {
    /// How often a change is retried after losing to another writer, while its condition is still true.
    private static var attempts: Int { 8 }

    /// Changes a document by one conditional write.
    ///
    /// - Parameters:
    ///   - name: the document.
    ///   - condition: what must be true of it.
    ///   - isNew: whether the store has just answered that neither the document nor an earlier generation
    ///     exists.
    ///   - prepare: gets the current document, writes what must exist before the change, and returns the
    ///     new contents; nil to start again because another writer was faster.
    /// - Returns: the ETag of the written object; nil if another writer has already replaced it.
    /// - Throws: ``StoreFailure/conflict(_:)`` if the condition is not true; then nothing has changed.
    @discardableResult
    func change(
        _ name: DocumentName,
        if condition: WriteCondition,
        asNew isNew: Bool = false,
        _ prepare: (DocumentObject?) throws(StoreFailure) -> DocumentObject.Draft?,
    ) throws(StoreFailure) -> ETag? {
        let key = keys.key(name)
        let id = identifier()
        for attempt in 0..<Self.attempts {
            // If this is outdated, the store rejects the write.
            let there =
                isNew && attempt == 0 ? nil : try found(name, condition, isFirst: attempt == 0)
            // Before a document is replaced, its pending entry must be in the journal.
            if let there, let entry = there.entry { try finish(entry, in: there.journal) }
            guard let draft = try prepare(there?.isDeleted == true ? nil : there) else { continue }
            let write = S3Write(
                draft.bytes,
                to: key,
                if: there.map { .unchanged($0.etag) } ?? .absent,
                identifier: id,
                after: there?.writes ?? [],
                metadata: draft.metadata,
            )
            known.forget(key)
            switch try remote({ () throws(S3Failure) in try client.write(write) }) {
            case .stored(let etag):
                let object = DocumentObject(
                    bytes: draft.bytes,
                    etag: etag,
                    writes: write.kept,
                    entry: draft.entry,
                    isDeleted: draft.isDeleted,
                    previous: draft.previous,
                    journal: draft.journal,
                )
                known.note(object, at: key)
                noteStoreFound()
                return etag
            case .replaced: return nil
            case .refused: continue
            }
        }
        throw .conflict(name)
    }

    /// Returns the current document if the condition allows the change.
    ///
    /// The first attempt uses what is known; if that is outdated, the store rejects the write.
    private func found(
        _ name: DocumentName,
        _ condition: WriteCondition,
        isFirst: Bool,
    ) throws(StoreFailure) -> DocumentObject? {
        let key = keys.key(name)
        switch condition {
        case .version(let version), .undone(let version):
            if isFirst, let known = known[key], !known.isDeleted, known.version == version {
                return known
            }
            guard let there = try object(at: key), !there.isDeleted else {
                _ = try present(name)
                throw .conflict(name)
            }
            guard there.version == version else { throw .conflict(name) }
            return there
        case .absent:
            let there = try object(at: key)
            if let there {
                guard there.isDeleted else { throw .conflict(name) }
                try forgetGenerations(of: name)
                return there
            }
            let isLost = try hasEarlierGeneration(name)
            guard !isLost else {
                // Another writer may just have created the document and then its earlier generation.
                throw try object(at: key) == nil ? .lost(name) : .conflict(name)
            }
            try requireStore()
            return nil
        case .lost:
            let there = try object(at: key)
            if let there, !there.isDeleted { throw .conflict(name) }
            return there
        }
    }

    /// Keeps the document that is about to be replaced as the previous version.
    ///
    /// This write is conditional too, so that a writer that stalled cannot store an older version there.
    ///
    /// - Returns: the kept version, if one is needed; nil if another writer was faster.
    func keepPrevious(
        _ there: DocumentObject,
        of name: DocumentName,
    ) throws(StoreFailure) -> KeptGeneration? {
        guard name.hasGenerations else { return KeptGeneration(etag: nil) }
        let key = keys.previous(name)
        var before = known[key]
        // The document records what was kept when it was written, so this need not be read.
        if before == nil, let etag = there.previous,
            let kept = try keep(there, at: key, inPlaceOf: etag, after: [])
        {
            return KeptGeneration(etag: kept)
        }
        if before == nil {
            before = try object(at: key)
            // The version kept earlier may not be the one before the current document.
            guard try object(at: keys.key(name))?.etag == there.etag else { return nil }
        }
        if let before, before.bytes == there.bytes { return KeptGeneration(etag: before.etag) }
        guard
            let kept = try keep(
                there,
                at: key,
                inPlaceOf: before?.etag,
                after: before?.writes ?? [],
            )
        else {
            known.forget(keys.key(name))
            return nil
        }
        return KeptGeneration(etag: kept)
    }

    /// - Returns: nil if the object has changed.
    private func keep(
        _ there: DocumentObject,
        at key: String,
        inPlaceOf before: ETag?,
        after writes: [String],
    ) throws(StoreFailure) -> ETag? {
        let write = S3Write(
            there.bytes,
            to: key,
            if: before.map { .unchanged($0) } ?? .absent,
            identifier: identifier(),
            after: writes,
        )
        known.forget(key)
        switch try remote({ () throws(S3Failure) in try client.write(write) }) {
        case .stored(let etag):
            let object = DocumentObject(
                bytes: there.bytes,
                etag: etag,
                writes: write.kept,
                entry: nil,
                isDeleted: false,
            )
            known.note(object, at: key)
            return etag
        case .replaced, .refused: return nil
        }
    }
}
