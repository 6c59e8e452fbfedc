import Synchronization

/// What has been read and decoded, kept while the back end says that it has not changed.
///
/// A value is looked at again at most once per ``interval``, by its stamp, which costs no read; so
/// a page costs no disk read, and what another process wrote is seen within the interval.
final class DocumentCache: Sendable {
    private let backend: any Backend
    private let interval: Duration
    private let entries = Mutex<[DocumentName: Entry]>([:])
    /// Entries after which the cache begins anew; a bound, not a tuned figure.
    private static let limit = 8192

    private struct Entry: Sendable {
        let value: any Sendable
        let stamp: ChangeStamp
        let checked: ContinuousClock.Instant
    }

    init(backend: any Backend, interval: Duration) {
        self.backend = backend
        self.interval = interval
    }

    /// The value of a document or folder, which `load` reads when it is not here or has changed; nil
    /// when the back end has none.
    func value<Value: Sendable>(
        _ name: DocumentName,
        load: () throws(StoreFailure) -> Value?,
    ) throws(StoreFailure) -> Value? {
        let now = ContinuousClock.now
        let entry = entries.withLock { $0[name] }
        if let entry, let value = entry.value as? Value, now - entry.checked < interval {
            return value
        }
        guard let stamp = try backend.stamp(of: name) else {
            forget(name)
            return nil
        }
        if let entry, let value = entry.value as? Value, entry.stamp == stamp,
            entry.stamp.isSettled
        {
            keep(Entry(value: value, stamp: stamp, checked: now), for: name)
            return value
        }
        // The stamp is older than what is read now: a change in between is seen at the next look.
        guard let value = try load() else {
            forget(name)
            return nil
        }
        keep(Entry(value: value, stamp: stamp, checked: now), for: name)
        return value
    }

    func forget(_ name: DocumentName) {
        entries.withLock { _ = $0.removeValue(forKey: name) }
    }

    func forgetAll() {
        entries.withLock { $0.removeAll() }
    }

    private func keep(_ entry: Entry, for name: DocumentName) {
        entries.withLock { entries in
            if entries.count >= Self.limit { entries.removeAll(keepingCapacity: true) }
            entries[name] = entry
        }
    }
}
