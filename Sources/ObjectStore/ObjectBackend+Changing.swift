import S3
import Store

extension DocumentObject {
    /// What an object is to become.
    struct Draft {
        let bytes: [UInt8]
        /// The entry of a journal that comes with it.
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

/// The version before, as it was kept; without an ETag where none is.
struct KeptGeneration {
    let etag: ETag?
}

extension ObjectBackend {
    /// How often a change begins again that another one came before, while its condition still holds.
    private static var attempts: Int { 8 }

    /// Changes a document by one conditional write.
    ///
    /// - Parameters:
    ///   - name: of the document.
    ///   - condition: what must be true of it.
    ///   - isNew: whether the store has just said that there is none, nor an earlier generation of it.
    ///   - prepare: gets what is there, makes what must be there before, and gives what to write; nil to
    ///     look again, because another writer came first.
    /// - Returns: the object as it was written; nil where another one has already taken its place.
    /// - Throws: ``StoreFailure/conflict(_:)`` where the condition does not hold; nothing has changed then.
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
            // The store refuses what has become wrong since.
            let there =
                isNew && attempt == 0 ? nil : try found(name, condition, isFirst: attempt == 0)
            // Whoever takes the place of a document leaves nothing that waits for it.
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

    /// What the document is, as far as the condition allows.
    ///
    /// The first look takes what is known, which the store refuses if it is no longer so.
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
                // Another writer may just have made the document and then its earlier generation.
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

    /// Keeps what is about to be replaced as the version before.
    ///
    /// Its own condition sees to it that a writer who stalled does not put an older version there.
    ///
    /// - Returns: what is kept, if anything has to be; nil where another writer came first.
    func keepPrevious(
        _ there: DocumentObject,
        of name: DocumentName,
    ) throws(StoreFailure) -> KeptGeneration? {
        guard name.hasGenerations else { return KeptGeneration(etag: nil) }
        let key = keys.previous(name)
        var before = known[key]
        // The document itself says what was kept when it was written, so that no one has to look.
        if before == nil, let etag = there.previous,
            let kept = try keep(there, at: key, inPlaceOf: etag, after: [])
        {
            return KeptGeneration(etag: kept)
        }
        if before == nil {
            before = try object(at: key)
            // What was there before it was checked may no longer come before what is there now.
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

    /// - Returns: nil where something else is there by now.
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
