package import Bytes
package import Cryptography

/// Where documents and blobs are kept: small enough that an object store can do it.
///
/// Everything that must be exact under concurrency is a compare-and-swap on one document. Calls
/// block, may come from several threads at once, and return when what they did lasts.
package protocol Backend: Sendable {
    /// The document with its version, or nil when there is none.
    ///
    /// - Throws: ``StoreFailure/lost(_:)`` for one that is missing, because its earlier generation is
    ///   there, and ``StoreFailure/gone(path:)`` where the whole store is.
    func read(_ name: DocumentName) throws(StoreFailure) -> StoredDocument?

    /// Writes the document if it is still as `condition` says.
    ///
    /// - Throws: ``StoreFailure/conflict(_:)`` when it is not; nothing has changed then.
    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion

    /// Deletes the document if it is still at `version`.
    func delete(_ name: DocumentName, at version: DocumentVersion) throws(StoreFailure)

    /// The names of documents and folders directly in a folder, sorted; none without the folder.
    func names(in folder: DocumentName) throws(StoreFailure) -> [String]

    /// A cheap token that differs once the document or folder has changed; nil when it is not there.
    func stamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp?

    /// Makes sure that a document which somebody else has written lasts too.
    func confirm(_ name: DocumentName) throws(StoreFailure)

    /// The version before the current one; of a document with one version that version.
    func previous(of name: DocumentName) throws(StoreFailure) -> StoredDocument?

    /// Drops the bytes of the version before the current one, for what must not be kept.
    func forgetPrevious(of name: DocumentName) throws(StoreFailure)

    /// Adds one line, without its line feed, to a journal, unless one of `told` is a line of it.
    func append(
        _ line: [UInt8],
        to journal: DocumentName,
        unless told: [[UInt8]],
    ) throws(StoreFailure)

    /// The whole lines of a journal; one that a crash cut short, and was never acknowledged, is not
    /// among them.
    func lines(of journal: DocumentName) throws(StoreFailure) -> [[UInt8]]

    /// The whole lines behind an offset, at most `count`, each with the offset behind it.
    ///
    /// None for an offset that is not the beginning of a line.
    func lines(
        of journal: DocumentName,
        from offset: Int,
        count: Int,
    ) throws(StoreFailure) -> [JournalLine]

    /// The offset behind the last whole line; 0 without a journal.
    func end(of journal: DocumentName) throws(StoreFailure) -> Int

    /// The first offset from `offset` on at which a whole line begins, or the journal's end.
    func startOfLine(in journal: DocumentName, near offset: Int) throws(StoreFailure) -> Int

    /// Writes `new`, which is as long, over `old` wherever it stands in a line of a journal, for what
    /// must not be kept; the lines stay where they are.
    func overwrite(
        _ old: [UInt8],
        with new: [UInt8],
        in journal: DocumentName,
    ) throws(StoreFailure)

    /// Writes spaces over a range of a journal, which is one line that cannot be read; the lines
    /// stay where they are.
    func blank(_ range: Range<Int>, of journal: DocumentName) throws(StoreFailure)

    /// Begins a blob whose bytes arrive now; its digest is known once they are all there.
    func receive() throws(StoreFailure) -> any IncomingBlob

    /// The bytes of an upload, made when there are none: those of every earlier call with its name
    /// are there.
    func upload(_ name: String) throws(StoreFailure) -> any ResumableBlob

    /// How many bytes of an upload there are; nil for none at all.
    func uploadSize(_ name: String) throws(StoreFailure) -> Int?

    /// Forgets the bytes of an upload.
    func removeUpload(_ name: String) throws(StoreFailure)

    /// The names of all uploads that there are bytes of.
    func uploads() throws(StoreFailure) -> [String]

    /// Bytes that there is room for; nil where that cannot be known.
    func freeSpace() throws(StoreFailure) -> Int?

    /// Opens a blob for reading by ranges.
    ///
    /// - Throws: ``StoreFailure/missingBlob(_:)``.
    func open(_ blob: SHA256Digest) throws(StoreFailure) -> StoredBlob

    /// The blob's size and when it was last put, or nil when it is not there.
    func facts(of blob: SHA256Digest) throws(StoreFailure) -> BlobFacts?

    /// A cheap token that differs once the blob's bytes may have changed; nil when it is not there.
    func stamp(of blob: SHA256Digest) throws(StoreFailure) -> ChangeStamp?

    /// Every blob, in an order that stays.
    func blobs() throws(StoreFailure) -> [SHA256Digest]

    /// Deletes a blob unless it was put within the last `seconds`.
    ///
    /// - Returns: whether it was deleted.
    func delete(_ blob: SHA256Digest, unlessPutWithin seconds: Int) throws(StoreFailure) -> Bool
}

extension Backend {
    package func append(_ line: [UInt8], to journal: DocumentName) throws(StoreFailure) {
        try append(line, to: journal, unless: [])
    }

    /// Writes, and says false where ``write(_:to:if:)`` throws a conflict.
    func writes(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            _ = try write(bytes, to: name, if: condition)
            return true
        } catch {
            if case .conflict = error { return false }
            throw error
        }
    }
}

/// One line of a journal.
package struct JournalLine: Sendable, Equatable {
    package let bytes: [UInt8]
    /// The offset behind its line feed.
    package let end: Int
}

/// Bytes on their way into the store.
///
/// Used by one thread at a time. Dropped without ``commit(as:)`` it leaves nothing behind.
package protocol IncomingBlob: AnyObject {
    /// Adds bytes at the end.
    func append(_ bytes: UnsafeRawBufferPointer) throws(StoreFailure)

    /// Adds the bytes of a file at the end, where the disk can do so without moving them through
    /// memory; `progress` is told the bytes added since it was called last.
    func append(
        contentsOf path: String,
        progress: (Int) -> Void,
    ) throws(StoreFailure)

    /// How many bytes have come.
    var count: Int { get }

    /// What has come so far, for reading by ranges while it is not yet a blob.
    func source() throws(StoreFailure) -> any ByteSource

    /// Makes the bytes a blob that lasts, under the digest that the caller made of them as they came.
    func commit(as digest: SHA256Digest) throws(StoreFailure)
}

/// A document as it was read.
package struct StoredDocument: Sendable, Equatable {
    package let bytes: [UInt8]

    /// Made when it is asked for: most documents are only read.
    package var version: DocumentVersion { DocumentVersion(of: bytes) }
}

/// The digest of a document's bytes.
package struct DocumentVersion: Hashable, Sendable {
    package let digest: SHA256Digest

    package init(of bytes: [UInt8]) {
        digest = SHA256Digest(of: bytes)
    }
}

/// What must still be true for a write to happen.
package enum WriteCondition: Sendable, Equatable {
    /// Neither the document nor an earlier generation of it is there.
    case absent
    /// Only an earlier generation is there.
    case lost
    case version(DocumentVersion)
    /// That version, which is not kept: what comes back in its place stays the earlier generation, so
    /// that it is there at every moment.
    case undone(DocumentVersion)
}

/// See ``Backend/stamp(of:)``.
package struct ChangeStamp: Sendable, Equatable {
    /// Numbers that the back end compares.
    package let values: [Int]
    /// False for a change so recent that another one could still get the same numbers; what was read
    /// under such a stamp is read again at the next look.
    package let isSettled: Bool

    package static func == (left: ChangeStamp, right: ChangeStamp) -> Bool {
        left.values == right.values
    }
}

/// A blob that is open for reading.
package struct StoredBlob: Sendable {
    package let digest: SHA256Digest
    package let source: any ByteSource
    /// The file, for a server that sends it by descriptor; nil when the bytes are elsewhere.
    package let path: String?

    package var size: Int { source.count }
}

/// See ``Backend/facts(of:)``.
package struct BlobFacts: Sendable, Equatable {
    package let size: Int
    /// Seconds since it was put, by the clock of the disk that holds it.
    package let age: Int
}
