package import Cryptography

/// Named documents, each small enough to be read and written as a whole.
///
/// Operations that must be exact under concurrency are a compare-and-swap on one document. Calls block, may
/// come from several threads at once, and return once their effect is durable.
package protocol Documents: Sendable {
    /// The document with its version, or nil if there is none.
    ///
    /// - Throws: ``StoreFailure/lost(_:)`` if the document is missing although its earlier generation
    ///   exists, and ``StoreFailure/gone(path:)`` if the whole store is missing.
    func read(_ name: DocumentName) throws(StoreFailure) -> StoredDocument?

    /// Writes the document if `condition` is still true.
    ///
    /// - Throws: ``StoreFailure/conflict(_:)`` if it is not; then nothing has changed.
    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion

    /// Deletes the document if it is still at `version`.
    ///
    /// - Throws: ``StoreFailure/conflict(_:)`` if it is not.
    func delete(_ name: DocumentName, at version: DocumentVersion) throws(StoreFailure)

    /// The sorted names of documents and folders directly in a folder; none if the folder does not exist.
    func names(in folder: DocumentName) throws(StoreFailure) -> [String]

    /// A cheap token that changes whenever the document or folder changes; nil if it does not exist.
    func stamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp?

    /// Like ``stamp(of:)``, but without asking the storage if no change has been reported: a change by
    /// another server may appear up to a second later.
    func knownStamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp?

    /// Like ``names(in:)``, with the same delay.
    func knownNames(in folder: DocumentName) throws(StoreFailure) -> [String]

    /// Reads a document like ``read(_:)``, or returns it from memory if ``knownStamp(of:)`` would report no
    /// change.
    func knownDocument(_ name: DocumentName) throws(StoreFailure) -> StoredDocument?

    /// A cheap token for something at the top level of the store: for a folder, one that changes whenever
    /// any document in it changes; for a document, its own.
    ///
    /// Nil if the backend cannot be sure; then each document must be checked.
    ///
    /// Something that does not exist has a token too.
    func changeStamp(of top: String) throws(StoreFailure) -> ChangeStamp?

    /// Makes a document that another process has written durable.
    func confirm(_ name: DocumentName) throws(StoreFailure)

    /// The version before the current one; if the document has only one version, that one.
    func previous(of name: DocumentName) throws(StoreFailure) -> StoredDocument?

    /// The version that was replaced by an earlier one with ``WriteCondition/undone(_:)``; nil if there was
    /// none.
    func undone(of name: DocumentName) throws(StoreFailure) -> StoredDocument?

    /// Deletes the bytes of the previous version and of the undone one, which may hold data that must not
    /// be kept.
    func forgetPrevious(of name: DocumentName) throws(StoreFailure)

    /// All documents and journals in a stable order, for a copy of the whole store.
    ///
    /// Earlier generations, blobs and incoming bytes are not included.
    ///
    /// ``read(_:)`` also reads a journal, as its lines with their line feeds.
    func documents() throws(StoreFailure) -> [DocumentName]

    /// The documents of which only the earlier generation exists.
    func lostDocuments() throws(StoreFailure) -> [DocumentName]

    /// Gives an earlier generation to every document that has none, as this version does when it writes:
    /// used after a restore, and for a store of an earlier version.
    func keepEarlierGenerations() throws(StoreFailure)

    /// Runs `body` while no other process changes a document, if the backend can block writers; otherwise
    /// each document is read as it is at some time during the call.
    func withWritersWaiting(_ body: () throws(StoreFailure) -> Void) throws(StoreFailure)
}

extension Documents {
    package func knownStamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp? {
        try stamp(of: name)
    }

    package func knownNames(in folder: DocumentName) throws(StoreFailure) -> [String] {
        try names(in: folder)
    }

    package func knownDocument(_ name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        try read(name)
    }
}

/// A document as it was read.
package struct StoredDocument: Sendable, Equatable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Computed on demand, because most documents are only read.
    package var version: DocumentVersion { DocumentVersion(of: bytes) }
}

/// The digest of a document's bytes.
package struct DocumentVersion: Hashable, Sendable {
    package let digest: SHA256Digest

    package init(of bytes: [UInt8]) {
        digest = SHA256Digest(of: bytes)
    }
}

/// What must still be true for a write to take place.
package enum WriteCondition: Sendable, Equatable {
    /// Neither the document nor an earlier generation of it exists.
    case absent
    /// Only an earlier generation exists.
    case lost
    case version(DocumentVersion)
    /// The document has this version, which is kept as the undone one.
    ///
    /// The version restored in its place also stays the earlier generation, so that it exists at every
    /// moment.
    case undone(DocumentVersion)
}

/// See ``Documents/stamp(of:)`` and ``Blobs/stamp(of:)``.
package struct ChangeStamp: Sendable, Equatable {
    /// The numbers that are compared.
    package let values: [Int]
    /// False if the change is so recent that another one could still result in the same numbers; data read
    /// under such a stamp is read again at the next check.
    package let isSettled: Bool

    package init(values: [Int], isSettled: Bool) {
        self.values = values
        self.isSettled = isSettled
    }

    package static func == (left: ChangeStamp, right: ChangeStamp) -> Bool {
        left.values == right.values
    }
}
