import Problems
package import S3
package import Store
import Synchronization

/// A store in an object store, which any number of servers can share.
///
/// Every decision is one conditional write of one object, so servers neither wait for each other nor know
/// of each other:
///
/// | object | what it is | what decides |
/// |---|---|---|
/// | `apps/…/app.json` | a document; its metadata records which writes led to it, whether it is deleted, and which journal entry was written with it | `If-Match` its ETag, or `If-None-Match: *` |
/// | `apps/…/app.json@previous` | the previous version | `If-Match`, before the document |
/// | `apps/…/app.json@undone` | the undone version | the write of the document after it |
/// | `activity/2026-11.jsonl/0000…` | a segment of a journal, named by the offset at which it starts | `If-Match` while it is short, then `If-None-Match: *` for the next one |
/// | `@entries/…` | journal lines that are pending while a document is changed | the document's metadata |
/// | `@leases/…` | the server that does one kind of work | `If-Match` |
/// | `@news` | announced changes, for the other servers | `If-Match`, before the change |
/// | `blobs/sha256/ab/ab…` | a blob | its digest |
///
/// Incoming bytes are kept in a folder of this machine, because the key of a blob is known only at its end.
package final class ObjectBackend: Backend {
    let client: S3Client
    let keys: ObjectKeys
    /// The folder of this machine for bytes that are not yet blobs.
    let spool: DirectoryBackend
    /// Returns a unique identifier for a write: 16 letters and digits.
    let identifier: @Sendable () -> String
    package let conditions: S3Client.Conditions
    let known = KnownObjects()
    let journals = KnownJournals()
    /// Serialises the appends of this process, so that they do not conflict in the store.
    let appending = AppendLocks()
    let journalled = JournalledEntries()
    let leaseTiming: LeaseTiming
    let leases = SeenLeases()
    let news: NewsInMemory
    let lists = KnownLists()
    let announcements = Announcements()
    let completions = Pace()
    let unconfirmed = UnconfirmedBlobs()
    let early = EarlyObjects()
    let notice: WaitingNotice?
    /// The state for ``keepKnowledge(at:)``; nil unless ``recall(at:)`` was called.
    let recollection = Mutex<Recollection?>(nil)
    /// Local copies of blobs that phones download, or that other programs need as files.
    let files: BlobFiles
    /// The default size in bytes of the cache of blobs on this machine.
    package static let defaultCacheSize = 10 << 30
    private let opened = Mutex(false)
    private let found = Mutex<ContinuousClock.Instant?>(nil)

    /// Opens a folder of an existing bucket, and tests whether the store supports conditional writes.
    ///
    /// - Parameters:
    ///   - client: the client for the bucket.
    ///   - prefix: the prefix of all keys, without leading and trailing slashes; empty for the whole
    ///     bucket.
    ///   - spool: an existing folder of this machine, for incoming bytes.
    ///   - conditions: the result of an earlier test of the same bucket; nil to test.
    ///   - leases: the timing of leases.
    ///   - news: how often to check for changes by other servers once ``followChanges()`` was called.
    ///   - notice: reports that the store has not answered yet, until changes are followed.
    ///   - identifier: returns unique identifiers of 16 letters and digits.
    /// - Throws: ``StoreFailure/elsewhere(_:)`` for a store that is not reachable or ignores conditions.
    package init(
        client: S3Client,
        prefix: String,
        spool: String,
        conditions: S3Client.Conditions? = nil,
        leases: LeaseTiming = LeaseTiming(),
        news: NewsTiming = NewsTiming(),
        notice: WaitingNotice? = nil,
        identifier: @escaping @Sendable () -> String,
    ) throws(StoreFailure) {
        self.client = client
        self.notice = notice
        self.identifier = identifier
        leaseTiming = leases
        self.news = NewsInMemory(news)
        keys = ObjectKeys(prefix: prefix)
        self.spool = try DirectoryBackend(root: spool)
        files = BlobFiles(
            in: spool + "/cache",
            limit: Self.defaultCacheSize,
            now: client.caller.timing.now,
        )
        let trial = keys.trial(identifier())
        self.conditions =
            if let conditions {
                conditions
            } else {
                try remote { () throws(S3Failure) in
                    try client.conditions(at: trial, identifier: identifier)
                }
            }
    }

    package var location: String {
        "s3://\(client.bucket.name)" + (keys.prefix.isEmpty ? "" : "/" + keys.prefix)
    }

    package var localFolder: LocalFolder? { nil }

    package var workFolder: LocalFolder? { spool.localFolder }

    /// Sets the size in bytes of the cache of blobs on this machine, and removes the least recently used
    /// ones beyond it; a larger blob is cached alone.
    package func limitCache(to bytes: Int) { files.limit(to: bytes) }

    package func noteStore() { opened.withLock { $0 = true } }

    /// Throws if the store existed before and is now missing.
    ///
    /// - Throws: ``StoreFailure/gone(path:)``.
    func requireStore() throws(StoreFailure) {
        guard opened.withLock({ $0 }), !news.hasFoundStore, !hasFoundStore else { return }
        let facts = try remote { () throws(S3Failure) in try client.facts(of: keys.key(.settings)) }
        guard facts != nil else { throw .gone(path: location) }
        noteStoreFound()
    }

    /// Records that an object of the store was just found.
    func noteStoreFound() {
        guard news.timing.trusting > .zero else { return }
        found.withLock { $0 = .now }
    }

    private var hasFoundStore: Bool {
        found.withLock { $0 }.map { .now - $0 < news.timing.trusting } ?? false
    }

    package func obstacle() throws(StoreFailure) -> StoreFailure? {
        var isEmpty = true
        try remote { () throws(S3Failure) in
            try client.pages(under: keys.root) { page throws(S3Failure) in
                isEmpty = page.objects.allSatisfy { keys.isInternal($0.key) }
                return isEmpty
            }
        }
        return isEmpty ? nil : .notAStore(path: location)
    }

    /// Several servers can share the store, but each needs its own spool.
    package func claimForServer() throws(StoreFailure) -> (any ServerLease)? {
        do throws(StoreFailure) {
            return try spool.claimForServer().map(SpoolLease.init)
        } catch .alreadyServed(let path) {
            throw .elsewhere(
                Problem(
                    id: "store.spool-in-use",
                    kind: .conflict,
                    message: "another server has its spool in this folder",
                    place: path,
                    fix:
                        "give each server on this machine a folder of its own with --spool or OTA_SPOOL",
                )
            )
        }
    }

    /// The bucket's policy decides who can read it.
    package func secretProblems() throws(StoreFailure) -> [StoreProblem] { [] }

    package func tightenSecrets() throws(StoreFailure) -> [String] { [] }

    /// Writers on other servers cannot be blocked, so each document is read as it is at some time during
    /// the call.
    package func withWritersWaiting(
        _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        try body()
    }
}

/// Proof that no other server uses the spool; other servers of the store have their own.
private final class SpoolLease: ServerLease {
    private let spool: any ServerLease
    let isOnlyServer = false

    init(_ spool: any ServerLease) {
        self.spool = spool
    }
}

/// Runs requests to the object store and rethrows their errors as those of the store.
func remote<Result>(
    _ body: () throws(S3Failure) -> Result
) throws(StoreFailure) -> Result {
    do throws(S3Failure) {
        return try body()
    } catch {
        throw .elsewhere(error.problem)
    }
}
