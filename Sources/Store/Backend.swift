/// The place where a store is kept: its documents, journals and blobs.
///
/// Small enough to implement on an object store. A feature that only some backends have is a property that
/// is nil for the others; callers handle its absence.
package protocol Backend: Documents, Journals, Blobs {
    /// The location of the store for error messages: a folder's path or a URL.
    var location: String { get }

    /// The folder if the store is a folder of this machine; otherwise nil.
    var localFolder: LocalFolder? { get }

    /// The folder of this machine for incoming bytes and for files that other programs need: the store's
    /// own, or one beside a remote store; nil if there is none.
    ///
    /// With a remote store it never holds the only copy of acknowledged data.
    var workFolder: LocalFolder? { get }

    /// Writes a document as ``Documents/write(_:to:if:)`` does, and appends an entry to a journal: both or
    /// neither.
    ///
    /// If the process ends in between, ``completeEntries()`` or the next writer appends the entry, exactly
    /// once.
    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry,
    ) throws(StoreFailure) -> DocumentVersion

    /// Deletes a document as ``Documents/delete(_:at:)`` does, and appends an entry to a journal as above.
    func delete(
        _ name: DocumentName,
        at version: DocumentVersion,
        adding entry: JournalEntry,
    ) throws(StoreFailure)

    /// The document as this process last read or wrote it, to be changed and written back on the condition
    /// that it has not changed since; nil if reading is free anyway or no version is known.
    func assumed(_ name: DocumentName) -> StoredDocument?

    /// Announces that these documents will be changed one after the other, and others added, so that a
    /// remote store can notify other servers of all of them at once.
    func prepareChanges(of names: [DocumentName], adding: [DocumentName])

    /// Appends the pending entries of changes whose process ended before it appended them.
    ///
    /// Does not wait for locks, and leaves what it cannot complete to a later call.
    func completeEntries()

    /// Makes sure that the journal has the entry of the document's last change.
    ///
    /// Called before the journal is searched for the reason for that change.
    func completeEntry(of name: DocumentName) throws(StoreFailure)

    /// Why a place without settings cannot become a store; nil if a new store may be created there.
    func obstacle() throws(StoreFailure) -> StoreFailure?

    /// Records that the place is a store: from now on, missing settings are ``StoreFailure/gone(path:)``,
    /// not an empty place.
    func noteStore()

    /// Claims the store for this process as its server until the lease is released: for a store in a
    /// folder, the store; for a remote store, its folder on this machine.
    ///
    /// - Returns: nil if there is nothing to claim.
    /// - Throws: ``StoreFailure/alreadyServed(path:)`` while another process holds the claim.
    func claimForServer() throws(StoreFailure) -> (any ServerLease)?

    /// Claims one kind of work, such as `jobs`, until the lease is released; nil while another holder has
    /// it, in this process or another.
    func claim(_ work: String) throws(StoreFailure) -> (any WorkLease)?

    /// Polls for changes by other servers until the result is released, with one request now and then for
    /// everything in memory; nil if checking costs no request.
    func followChanges() -> (any ChangeFollowing)?

    /// Calls `ring` when something may have changed, until the result is released; nil if the backend
    /// cannot notify.
    func changeBell(_ ring: @escaping @Sendable () -> Void) -> (any Sendable)?

    /// The secrets that anyone but the store's owner can read or change, if the backend can find out.
    func secretProblems() throws(StoreFailure) -> [StoreProblem]

    /// Removes everyone else's access to the secrets of the store's owner.
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

    /// Writes a document; returns false where ``Documents/write(_:to:if:)`` throws a conflict.
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

/// Proof that this process is the only server of a store, or of a remote store's folder on this machine.
///
/// The claim ends when the lease is released.
///
/// The command line needs none: it may change the store while the server runs.
package protocol ServerLease: AnyObject, Sendable {
    /// Whether no other server uses the store; false if other servers may, with folders of their own.
    var isOnlyServer: Bool { get }
}

extension ServerLease {
    package var isOnlyServer: Bool { true }
}

/// Proof that no other holder does this kind of work on a store.
///
/// The claim ends when the lease is released.
///
/// If a holder dies, another takes over its work, at once or after a while, so unfinished work must be
/// repeatable.
package protocol WorkLease: AnyObject, Sendable {
    /// Whether this holder may still act.
    ///
    /// Where several machines share a store, a holder that stalls for longer than its lease lasts has lost
    /// it for good. A holder checks this before each write: after reading a document and before writing it
    /// on the condition that it is unchanged.
    var isHeld: Bool { get }

    /// A counter of the claims of this work, which distinguishes holders in a log; nil on one machine,
    /// where a holder keeps its claim as long as it lives.
    var fence: Int? { get }
}

extension WorkLease {
    package var isHeld: Bool { true }
    package var fence: Int? { nil }

    /// - Throws: ``StoreFailure/leaseLost`` once another holder may have the work.
    package func require() throws(StoreFailure) {
        guard isHeld else { throw .leaseLost }
    }
}

/// Polls for changes by other servers, until it is released.
package protocol ChangeFollowing: AnyObject, Sendable {
    /// The time since the store last answered.
    var silence: Duration { get }

    /// Why the store did not answer the last poll; nil if it did.
    var trouble: StoreFailure? { get }
}

/// What only a store in a folder of this machine has: paths that other programs can use.
package struct LocalFolder: Sendable, Equatable {
    /// An absolute path without a trailing slash.
    package let root: String

    package init(root: String) {
        self.root = root
    }

    /// The folder for bytes that are not yet documents or blobs; on the same file system as those.
    package var incoming: String { root + "/incoming" }

    /// The folder of the activity journals.
    var journals: String { "\(root)/\(DocumentName.activities)" }

    /// The path of the file that holds the bytes of an upload.
    ///
    /// - Throws: ``StoreFailure/unusableName(_:)``.
    package func path(ofUpload name: String) throws(StoreFailure) -> String {
        guard DocumentName.isAllowed(name) else { throw .unusableName(name) }
        return incoming + "/" + name + ResumableFile.suffix
    }
}
