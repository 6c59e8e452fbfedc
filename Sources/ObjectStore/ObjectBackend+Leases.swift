import S3
package import Store
import Synchronization

/// A lease is an object that its holder renews by conditional writes.
///
/// No two clocks are compared. A holder acts for ``LeaseTiming/life`` after it *sent* its last renewal;
/// another process takes over a lease that it has *seen* unchanged for longer than that. A holder that was
/// suspended or disconnected finds that its lease has expired before it writes again.
extension ObjectBackend {
    package func claim(_ work: String) throws(StoreFailure) -> (any WorkLease)? {
        guard DocumentName.isAllowed(work) else { throw .unusableName(work) }
        let key = keys.lease(work)
        let seen = try look(at: key)
        if seen == nil { try requireStore() }
        if let seen, !seen.isFree(at: .now) { return nil }
        let id = identifier()
        let document = LeaseDocument(
            holder: id,
            fence: (seen?.document.fence ?? 0) + 1,
            life: leaseTiming.life,
        )
        let write = S3Write(
            document.bytes(),
            to: key,
            if: seen.map { .unchanged($0.etag) } ?? .absent,
            identifier: id,
            after: seen?.writes ?? [],
        )
        let sent = ContinuousClock.now
        switch try remote({ () throws(S3Failure) in try client.write(write) }) {
        case .stored(let etag):
            let held = SeenLease(document: document, etag: etag, writes: write.kept, since: sent)
            return ObjectLease(held, at: key, of: client, leaseTiming)
        case .refused, .replaced: return nil
        }
    }

    /// The current lease; nil if there never was one.
    func look(at key: String) throws(StoreFailure) -> SeenLease? {
        let before = leases[key]
        let reading = try remote { () throws(S3Failure) in
            try client.read(key, unless: before?.etag)
        }
        switch reading {
        case .known: return before
        case .found(let object):
            let seen = SeenLease(
                document: try LeaseDocument(object.bytes, at: keys.path(key)),
                etag: object.facts.etag,
                writes: object.facts.writes,
                // Not earlier, so that the wait is never too short.
                since: .now,
            )
            leases[key] = seen
            return seen
        case .missing, .changed:
            leases[key] = nil
            return nil
        }
    }
}

/// The leases as last read by this process.
final class SeenLeases: Sendable {
    private let seen = Mutex<[String: SeenLease]>([:])

    subscript(_ key: String) -> SeenLease? {
        get { seen.withLock { $0[key] } }
        set { seen.withLock { $0[key] = newValue } }
    }
}
