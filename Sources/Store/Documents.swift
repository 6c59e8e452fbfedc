package import Cryptography

/// Named documents, each small enough to be read and written whole.
///
/// Everything that must be exact under concurrency is a compare-and-swap on one document. Calls
/// block, may come from several threads at once, and return when what they did lasts.
package protocol Documents: Sendable {
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

    /// As ``stamp(of:)``, without asking where the back end has heard of no change: what another server
    /// changes may show up to a second later.
    func knownStamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp?

    /// As ``names(in:)``, likewise.
    func knownNames(in folder: DocumentName) throws(StoreFailure) -> [String]

    /// Reads a document as ``read(_:)`` does, or gives it from memory where ``knownStamp(of:)`` would say
    /// that it is still the same.
    func knownDocument(_ name: DocumentName) throws(StoreFailure) -> StoredDocument?

    /// A cheap token for what is at the top of the store: for a folder one that differs once any
    /// document below it has changed, for a document its own; nil where that cannot be said for sure,
    /// so that each document has to be asked about.
    ///
    /// What is not there has a token too.
    func changeStamp(of top: String) throws(StoreFailure) -> ChangeStamp?

    /// Makes sure that a document which another process has written lasts too.
    func confirm(_ name: DocumentName) throws(StoreFailure)

    /// The version before the current one; of a document with one version that version.
    func previous(of name: DocumentName) throws(StoreFailure) -> StoredDocument?

    /// The version that an earlier one took the place of, by ``WriteCondition/undone(_:)``; nil where
    /// that was never done.
    func undone(of name: DocumentName) throws(StoreFailure) -> StoredDocument?

    /// Drops the bytes of the version before the current one, and of one that was undone, for what must
    /// not be kept.
    func forgetPrevious(of name: DocumentName) throws(StoreFailure)

    /// Every document and journal, in an order that stays, for a copy of the whole store: not earlier
    /// generations, blobs and what is on its way in.
    ///
    /// ``read(_:)`` reads a journal too, as its lines with their line feeds.
    func documents() throws(StoreFailure) -> [DocumentName]

    /// The documents of which only the earlier generation is there.
    func lostDocuments() throws(StoreFailure) -> [DocumentName]

    /// Gives every document that has no earlier generation one, as those have that this version
    /// writes: after a restore, and in a store of an earlier version.
    func keepEarlierGenerations() throws(StoreFailure)

    /// Runs `body` while no other process changes a document, where the back end can keep them
    /// waiting; otherwise each document is that of some moment in between.
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
    /// That version, which is kept as the undone one: what comes back in its place stays the earlier
    /// generation, so that it is there at every moment.
    case undone(DocumentVersion)
}

/// See ``Documents/stamp(of:)`` and ``Blobs/stamp(of:)``.
package struct ChangeStamp: Sendable, Equatable {
    /// Numbers that the back end compares.
    package let values: [Int]
    /// False for a change so recent that another one could still get the same numbers; what was read
    /// under such a stamp is read again at the next look.
    package let isSettled: Bool

    package init(values: [Int], isSettled: Bool) {
        self.values = values
        self.isSettled = isSettled
    }

    package static func == (left: ChangeStamp, right: ChangeStamp) -> Bool {
        left.values == right.values
    }
}
