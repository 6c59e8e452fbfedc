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
/// | `blobs/sha256/ab/ab…` | a blob | its digest |
///
/// What is arriving waits in a folder of this machine, because its key is known only at its end.
package final class ObjectBackend: Backend {
    let client: S3Client
    let keys: ObjectKeys
    /// Where bytes wait until they are blobs.
    let spool: DirectoryBackend
    /// Gives identifiers of writes: 16 letters and digits that nobody else has.
    let identifier: @Sendable () -> String
    package let conditions: S3Client.Conditions
    let known = KnownObjects()
    let journals = KnownJournals()
    /// Writers of this process take turns at a journal, which spares the store their races.
    let appending = AppendLocks()
    let journalled = JournalledEntries()
    /// Blobs that phones download, and that other programs need as files.
    let files: BlobFiles
    /// Bytes of all of ``files``.
    let cacheSize = Atomic(ObjectBackend.defaultCacheSize)
    /// Bytes of blobs that are kept on this machine, where nothing else is said.
    package static let defaultCacheSize = 10 << 30
    private let opened = Mutex(false)
    /// What this process does, by the location of the store and the kind of work.
    private static let works = Mutex<Set<String>>([])

    /// Uses a folder of a bucket that exists, and tries whether the store decides between writers.
    ///
    /// - Parameters:
    ///   - client: of the bucket.
    ///   - prefix: of all keys, without slashes around it; empty for the whole bucket.
    ///   - spool: a folder of this machine that exists, for what is arriving.
    ///   - conditions: what an earlier trial found, of a bucket that is opened once more; nil to try.
    ///   - identifier: gives 16 letters and digits that nobody else has.
    /// - Throws: ``StoreFailure/elsewhere(_:)`` for a store that is not reachable or ignores conditions.
    package init(
        client: S3Client,
        prefix: String,
        spool: String,
        conditions: S3Client.Conditions? = nil,
        identifier: @escaping @Sendable () -> String,
    ) throws(StoreFailure) {
        self.client = client
        self.identifier = identifier
        keys = ObjectKeys(prefix: prefix)
        self.spool = try DirectoryBackend(root: spool)
        files = BlobFiles(in: spool)
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

    /// Bounds what ``file(of:)`` keeps on this machine, in bytes.
    package func limitCache(to bytes: Int) { cacheSize.store(bytes, ordering: .relaxed) }

    package func noteStore() { opened.withLock { $0 = true } }

    /// Refuses to find nothing where a store was.
    func requireStore() throws(StoreFailure) {
        guard opened.withLock({ $0 }) else { return }
        let facts = try remote { () throws(S3Failure) in try client.facts(of: keys.key(.settings)) }
        guard facts != nil else { throw .gone(path: location) }
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

    /// Several servers may share it.
    package func claimForServer() throws(StoreFailure) -> (any ServerLease)? { nil }

    /// Holds among the back ends of this process; other servers do not hear of it yet, so only one of them
    /// may do work that must be done once.
    package func claim(_ work: String) throws(StoreFailure) -> (any WorkLease)? {
        let claimed = "\(location)\n\(work)"
        guard Self.works.withLock({ $0.insert(claimed).inserted }) else { return nil }
        return Claim { Self.works.withLock { _ = $0.remove(claimed) } }
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

    private final class Claim: WorkLease {
        private let end: @Sendable () -> Void

        init(end: @escaping @Sendable () -> Void) {
            self.end = end
        }

        deinit { end() }
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
