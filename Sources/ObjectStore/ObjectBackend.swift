import Problems
package import S3
package import Store
import Synchronization

/// A store in an object store, which any number of servers share.
///
/// Every decision is one conditional write of one object, so no server waits for another one, and none
/// has to know of the others:
///
/// | object | what it is | what decides |
/// |---|---|---|
/// | `apps/…/app.json` | a document; its metadata says which writes led to it, whether it is deleted, and which entry of a journal came with it | `If-Match` its ETag, or `If-None-Match: *` |
/// | `apps/…/app.json@previous` | the version before | `If-Match`, before the document |
/// | `apps/…/app.json@undone` | the version that was undone | the document's write behind it |
/// | `activity/2026-11.jsonl/0000…` | a segment of a journal, named for the offset at which it begins | `If-Match` while it is short, then `If-None-Match: *` for the next one |
/// | `@entries/…` | lines that wait for a change of a document | the document's metadata |
/// | `@leases/…` | which server does one kind of work | `If-Match` |
/// | `@news` | what changes, for the other servers | `If-Match`, before the change |
/// | `blobs/sha256/ab/ab…` | a blob | its digest |
///
/// What is arriving waits in a folder of this machine, because its key is known only at its end.
package final class ObjectBackend: Backend {
    let client: S3Client
    let keys: ObjectKeys
    /// Where bytes wait until they are blobs.
    let spool: DirectoryBackend
    /// Gives identifiers of writes: 16 letters and digits that no one else has.
    let identifier: @Sendable () -> String
    package let conditions: S3Client.Conditions
    let known = KnownObjects()
    let journals = KnownJournals()
    /// Writers of this process take turns at a journal, which spares the store their races.
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
    /// What ``keepKnowledge(at:)`` needs; nil unless ``recall(at:)`` was called.
    let recollection = Mutex<Recollection?>(nil)
    /// Blobs that phones download, and that other programs need as files.
    let files: BlobFiles
    /// Bytes of blobs that are kept on this machine, where nothing else is said.
    package static let defaultCacheSize = 10 << 30
    private let opened = Mutex(false)
    private let found = Mutex<ContinuousClock.Instant?>(nil)

    /// Uses a folder of a bucket that exists, and tries whether the store decides between writers.
    ///
    /// - Parameters:
    ///   - client: of the bucket.
    ///   - prefix: of all keys, without slashes around it; empty for the whole bucket.
    ///   - spool: a folder of this machine that exists, for what is arriving.
    ///   - conditions: what an earlier trial found, of a bucket that is opened once more; nil to try.
    ///   - leases: how long leases last.
    ///   - news: how often changes of other servers are looked for once ``followChanges()`` was called.
    ///   - notice: what says that the store has not answered yet, until changes are followed.
    ///   - identifier: gives 16 letters and digits that no one else has.
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

    /// Bounds the blobs that are kept on this machine, in bytes, and removes those that were used longest
    /// ago; of a blob that is larger, there is only itself.
    package func limitCache(to bytes: Int) { files.limit(to: bytes) }

    package func noteStore() { opened.withLock { $0 = true } }

    /// Refuses to find nothing where a store was.
    func requireStore() throws(StoreFailure) {
        guard opened.withLock({ $0 }), !news.hasFoundStore, !hasFoundStore else { return }
        let facts = try remote { () throws(S3Failure) in try client.facts(of: keys.key(.settings)) }
        guard facts != nil else { throw .gone(path: location) }
        noteStoreFound()
    }

    /// Notes that something of the store was there just now.
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

    /// Several servers may share the store, but each has a spool of its own.
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

    /// Who may read it is decided by the policy of the bucket.
    package func secretProblems() throws(StoreFailure) -> [StoreProblem] { [] }

    package func tightenSecrets() throws(StoreFailure) -> [String] { [] }

    /// Other servers cannot be kept waiting: each document is that of some moment meanwhile.
    package func withWritersWaiting(
        _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        try body()
    }
}

/// Proof that no other server uses the spool; other servers on the store have their own.
private final class SpoolLease: ServerLease {
    private let spool: any ServerLease
    let isOnlyServer = false

    init(_ spool: any ServerLease) {
        self.spool = spool
    }
}

/// Asks the object store, whose refusals become those of the store.
func remote<Result>(
    _ body: () throws(S3Failure) -> Result
) throws(StoreFailure) -> Result {
    do throws(S3Failure) {
        return try body()
    } catch {
        throw .elsewhere(error.problem)
    }
}
