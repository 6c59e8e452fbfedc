/// Where a store is kept: documents, journals and blobs in one place.
///
/// Small enough that an object store can do it. What only some back ends have is a property that is
/// nil for the others, and callers say what they do without it.
package protocol Backend: Documents, Journals, Blobs {
    /// Where the store is, as errors name it: the path of a folder, or an address.
    var location: String { get }

    /// The folder of this machine that the store is; nil for one elsewhere.
    var localFolder: LocalFolder? { get }

    /// The folder of this machine for what other programs need as files, and what arrives: that of the
    /// store, or one beside a store elsewhere; nil where there is none.
    ///
    /// What is in it is never the only copy of what was acknowledged, except in a store in a folder.
    var workFolder: LocalFolder? { get }

    /// Writes a document as ``Documents/write(_:to:if:)`` does, and adds an entry to a journal: both or
    /// neither, also where the process ends in between. Then ``completeEntries()`` or the next writer
    /// completes it, once.
    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry,
    ) throws(StoreFailure) -> DocumentVersion

    /// Deletes a document as ``Documents/delete(_:at:)`` does, and adds an entry to a journal, as above.
    func delete(
        _ name: DocumentName,
        at version: DocumentVersion,
        adding entry: JournalEntry,
    ) throws(StoreFailure)

    /// The document as it was when this process last read or wrote it, to be changed and written back on the
    /// condition that it is still so; nil where reading it costs nothing, or none is known.
    func assumed(_ name: DocumentName) -> StoredDocument?

    /// Says that documents are about to be changed one after the other, and some added, so that a store
    /// elsewhere can notify other servers of all of them at once.
    func prepareChanges(of names: [DocumentName], adding: [DocumentName])

    /// Completes the entries of changes whose process ended before their journal had them; waits for
    /// no one, and leaves to a later call what it cannot complete.
    func completeEntries()

    /// Sees to it that the journal has the entry that came with a document as it is now: for who is about to
    /// look there for what led to the document.
    func completeEntry(of name: DocumentName) throws(StoreFailure)

    /// Why a place without settings is no store; nil where a new store may begin.
    func obstacle() throws(StoreFailure) -> StoreFailure?

    /// Notes that the place is a store: from now on one without settings is
    /// ``StoreFailure/gone(path:)`` and not empty.
    func noteStore()

    /// Claims the store for this process as its server, until the claim is dropped: a store in a folder
    /// of this machine, or the folder of this machine that a store elsewhere has; nil where there is
    /// nothing to claim.
    ///
    /// - Throws: ``StoreFailure/alreadyServed(path:)`` while another process has it.
    func claimForServer() throws(StoreFailure) -> (any ServerLease)?

    /// Claims one kind of work, such as `jobs`, for this holder, until the claim is dropped; nil while
    /// another one has it, in this process or elsewhere.
    func claim(_ work: String) throws(StoreFailure) -> (any WorkLease)?

    /// Has what other servers change looked for, with one request now and then for everything that is in
    /// memory, until the result is dropped; nil where each look costs no request.
    func followChanges() -> (any ChangeFollowing)?

    /// Calls `ring` when something may have changed, until the result is dropped; nil if nothing can notify.
    func changeBell(_ ring: @escaping @Sendable () -> Void) -> (any Sendable)?

    /// The secrets that others than the store's owner can read or change, where the place can tell.
    func secretProblems() throws(StoreFailure) -> [StoreProblem]

    /// Takes secrets away from others than the store's owner.
    ///
    /// - Returns: the places that others had access to, for the log.
    func tightenSecrets() throws(StoreFailure) -> [String]
}

extension Backend {
    package func assumed(_ name: DocumentName) -> StoredDocument? { nil }

    package func prepareChanges(of names: [DocumentName], adding: [DocumentName]) {}

    package func completeEntry(of name: DocumentName) throws(StoreFailure) {}

    package func followChanges() -> (any ChangeFollowing)? { nil }

    package func changeBell(_ ring: @escaping @Sendable () -> Void) -> (any Sendable)? { nil }

    package var workFolder: LocalFolder? { localFolder }

    /// Writes, and says false where ``Documents/write(_:to:if:)`` throws a conflict.
    func writes(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry? = nil,
    ) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            _ =
                if let entry {
                    try write(bytes, to: name, if: condition, adding: entry)
                } else {
                    try write(bytes, to: name, if: condition)
                }
            return true
        } catch {
            if case .conflict = error { return false }
            throw error
        }
    }
}

/// Proof that this process is the only server on a store, or on a folder of this machine that belongs to
/// one; given back when it is dropped.
///
/// The command line needs none: it may work on the store beside the server.
package protocol ServerLease: AnyObject, Sendable {
    /// Whether there is no other server on the store; false where others have folders of their own.
    var isOnlyServer: Bool { get }
}

extension ServerLease {
    package var isOnlyServer: Bool { true }
}

/// Proof that no one else does this kind of work on a store; given back when it is dropped.
///
/// The work of a holder that dies is another one's, at once or after a while: what was under way has to be
/// repeatable.
package protocol WorkLease: AnyObject, Sendable {
    /// Whether this holder may still act. Where several machines share a store, one that stalls for longer
    /// than its lease lasts has lost it for good, and asks this again before each write: between reading
    /// a document and writing it on the condition that it is still the one that was read.
    var isHeld: Bool { get }

    /// Counts the claims of this work, so that a log tells one holder from the next; nil on one machine,
    /// where a holder loses nothing as long as it lives.
    var fence: Int? { get }
}

extension WorkLease {
    package var isHeld: Bool { true }
    package var fence: Int? { nil }

    /// - Throws: ``StoreFailure/leaseLost`` once another one may have the work.
    package func require() throws(StoreFailure) {
        guard isHeld else { throw .leaseLost }
    }
}

/// Looks for what other servers change, until it is dropped.
package protocol ChangeFollowing: AnyObject, Sendable {
    /// How long ago the store answered last.
    var silence: Duration { get }
}

/// What only a store in a folder of this machine has: paths that other programs can work with.
package struct LocalFolder: Sendable, Equatable {
    /// Absolute, without a trailing slash.
    package let root: String

    package init(root: String) {
        self.root = root
    }

    /// Where bytes wait until they are documents and blobs; on the same disk as those.
    package var incoming: String { root + "/incoming" }

    /// Where the journals of activity are.
    var journals: String { "\(root)/\(DocumentName.activities)" }

    /// The file with the bytes of an upload.
    ///
    /// - Throws: ``StoreFailure/unusableName(_:)``.
    package func path(ofUpload name: String) throws(StoreFailure) -> String {
        guard DocumentName.isAllowed(name) else { throw .unusableName(name) }
        return incoming + "/" + name + ResumableFile.suffix
    }
}
