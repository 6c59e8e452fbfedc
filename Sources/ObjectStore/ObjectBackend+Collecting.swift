import Bytes
import Cryptography
import Essentials
import S3
import Store
import Synchronization

/// Deletes unused blobs while other servers may put the same bytes again.
///
/// The same bytes have the same ETag, so no condition prevents a process that has found a blob to be old
/// from deleting it after another process has put it again. A server that deletes therefore holds a lease,
/// renews it for each blob, and only then checks the blob's age. A server that writes a document which
/// refers to a blob that it has put checks the lease first. If no server holds it, every later deletion
/// finds the blob young; otherwise the server waits for the holder, and then checks that the blob still
/// exists.
extension ObjectBackend {
    /// The work whose lease allows deleting blobs.
    static var collecting: String { "collection" }

    /// Deletes a blob unless it is young; only one process at a time deletes blobs.
    func deleteOld(
        _ blob: SHA256Digest,
        unlessPutWithin seconds: Int,
    ) throws(StoreFailure) -> Bool {
        let lease = try claimCollection()
        defer { withExtendedLifetime(lease) {} }
        try announceCollection()
        guard let facts = try blobFacts(blob), Self.age(facts) >= seconds else { return false }
        try lease.require()
        return try remote { () throws(S3Failure) in
            try client.delete(
                keys.key(blob),
                if: conditions.holdForDeletion ? .unchanged(facts.etag) : .none,
            )
        }
    }

    private func claimCollection() throws(StoreFailure) -> any WorkLease {
        let end = ContinuousClock.now + .seconds(Self.collectionPatience)
        while true {
            if let lease = try claim(Self.collecting) { return lease }
            guard ContinuousClock.now < end else {
                throw .locked(
                    path: keys.path(keys.lease(Self.collecting)),
                    seconds: Self.collectionPatience,
                )
            }
            client.caller.timing.pause(Self.collectionPause)
        }
    }

    /// Seconds to wait while other processes delete; longer than the lease of a holder that has died.
    private static var collectionPatience: Int { 30 }

    /// Seconds between two checks of the lease.
    private static var collectionPause: Double { 0.2 }

    /// A DELETE request is given up long before this.
    private static var longestDeletion: Duration { .seconds(120) }

    /// Makes sure that the blobs which a document refers to, and which this process has put, exist and are
    /// not being deleted.
    ///
    /// - Parameter document: the bytes that are about to be written.
    /// - Throws: ``StoreFailure/missingBlob(_:)`` for a blob that another process has just deleted.
    func confirmBlobs(of document: [UInt8]) throws(StoreFailure) {
        let put = unconfirmed.all
        let needed = put.keys.filter {
            document.firstRange(ofBytes: $0.description.utf8) != nil
        }
        guard !needed.isEmpty else { return }
        // If the blobs were put before the last announcement of this process, and its page shows no
        // deletion, no check is needed: a server that starts to delete finds them young.
        if let collection = announcements.collection, !isLately(collection.date) {
            let seen = put.filter { $0.value < collection.known }
            if needed.allSatisfy({ seen[$0] != nil }) { return unconfirmed.confirm(seen) }
        }
        guard try waitForDeletion() else { return unconfirmed.confirm(put) }
        for blob in needed {
            guard try blobFacts(blob) != nil else { throw .missingBlob(blob) }
        }
        unconfirmed.confirm(put.filter { needed.contains($0.key) })
    }

    /// Announces that blobs may be deleted, before the first one is, and again long before other processes
    /// assume that the deletion is over.
    private func announceCollection() throws(StoreFailure) {
        let lately = announcements.latest(of: Self.collectionPath, within: .seconds(120))
        guard lately == nil else { return }
        try announce(collectionAs: Self.collectionPath)
    }

    /// The key under which the announcement is remembered; no document has this path.
    private static var collectionPath: String { "@collection" }

    /// Clocks of machines may differ by some minutes, and an announcement is valid for two minutes.
    private func isLately(_ date: Date?) -> Bool {
        guard let date else { return false }
        return abs(client.caller.timing.now().timeIntervalSince(date)) < 1_800
    }

    /// Waits while another process may be deleting blobs.
    ///
    /// - Returns: whether one was.
    private func waitForDeletion() throws(StoreFailure) -> Bool {
        let key = keys.lease(Self.collecting)
        guard let first = try look(at: key), first.document.holder != nil else { return false }
        let begun = ContinuousClock.now
        while let seen = try look(at: key), seen.document.holder != nil,
            seen.document.fence == first.document.fence
        {
            if ContinuousClock.now - begun > Self.longestDeletion {
                // The holder has died: another claim ends its lease, so that no other process has to wait.
                _ = try claim(Self.collecting)
                break
            }
            client.caller.timing.pause(Self.collectionPause)
        }
        return true
    }
}

/// The blobs that this process has put, until a document is written that refers to them.
final class UnconfirmedBlobs: Sendable {
    private struct State {
        /// When each was last put.
        var blobs: [SHA256Digest: ContinuousClock.Instant] = [:]
    }

    private let state = Mutex(State())
    /// The most blobs; the older half is removed first.
    private static let most = 10_000

    var all: [SHA256Digest: ContinuousClock.Instant] { state.withLock(\.blobs) }

    func contains(_ blob: SHA256Digest) -> Bool { state.withLock { $0.blobs[blob] != nil } }

    func insert(_ blob: SHA256Digest) {
        state.withLock { state in
            state.blobs[blob] = .now
            guard state.blobs.count > Self.most else { return }
            let middle = state.blobs.values.sorted()[Self.most / 2]
            state.blobs = state.blobs.filter { $0.value > middle }
        }
    }

    /// Removes blobs unless they have been put again since.
    func confirm(_ blobs: [SHA256Digest: ContinuousClock.Instant]) {
        state.withLock { state in
            for (blob, put) in blobs where state.blobs[blob] == put {
                state.blobs[blob] = nil
            }
        }
    }
}
