import Bytes
import Synchronization

/// Documents that have been read and decoded, kept until the backend reports that they have changed.
///
/// The stamp of a top-level folder shows whether anything in it has changed, so that a thousand documents
/// cost one check per ``interval``. A change by another process is seen within the interval. A document
/// outside such a folder is checked by its own stamp, which needs no read. A change made by hand, or by an
/// earlier version of this program, is seen after ``longInterval``.
final class DocumentCache: Sendable {
    let backend: any Backend
    let interval: Duration
    let state = Mutex(State())
    /// The most bytes of documents that are cached.
    private static let limit = 32 << 20
    /// The estimated size of an entry in addition to its document, in bytes.
    private static let overhead = 512

    struct Entry: Sendable {
        let value: any Sendable
        /// The size of the document in bytes.
        let size: Int
        let stamp: ChangeStamp
        /// The stamp of its top-level folder, taken before the document was read.
        let collection: ChangeStamp?
        let checked: ContinuousClock.Instant
    }

    struct State {
        var entries = RecentValues<DocumentName, Entry>(limit: DocumentCache.limit)
        /// The backend's stamps of top-level folders and documents, by name.
        var tops: [String: (stamp: ChangeStamp?, checked: ContinuousClock.Instant)] = [:]
        var derived: [String: DerivedValue] = [:]
        /// Counts invalidations: a value whose read started before the latest one is not cached.
        var age = 0
        /// Values checked before this time are checked again, however recently that was.
        var doubted: ContinuousClock.Instant?
    }

    init(backend: any Backend, interval: Duration) {
        self.backend = backend
        self.interval = interval
    }

    /// The time after which a document itself is checked, whatever its folder's stamp.
    var longInterval: Duration { interval * 150 }

    /// Returns the value of a document or folder, calling `load` if it is not cached or has changed; nil if
    /// the backend has none.
    ///
    /// - Parameters:
    ///   - name: the name of the document or folder.
    ///   - isCurrent: whether to ask the backend even if it was asked a moment ago; an unchanged document
    ///     is still not read again.
    ///   - load: reads the value and returns its size in bytes.
    /// - Returns: the value.
    /// - Throws: the errors of the backend or of `load`.
    func value<Value: Sendable>(
        _ name: DocumentName,
        isCurrent: Bool = false,
        load: () throws(StoreFailure) -> (value: Value, size: Int)?,
    ) throws(StoreFailure) -> Value? {
        let now = ContinuousClock.now
        // Taken before the read below: a change in between is seen at the next check.
        let collection =
            name.components.count > 1 ? try topStamp(name.components[0], at: now) : nil
        let (entry, age, doubted) = state.withLock {
            ($0.entries.value(name), $0.age, $0.doubted)
        }
        if !isCurrent, let entry, let value = entry.value as? Value,
            now - entry.checked < lifetime(of: entry, in: collection, doubted)
        {
            return value
        }
        guard let stamp = try stamp(of: name, isCurrent: isCurrent) else { return nil }
        func keep(_ value: Value, _ size: Int) {
            let entry = Entry(
                value: value,
                size: size,
                stamp: stamp,
                collection: collection,
                checked: now,
            )
            state.withLock { state in
                guard state.age == age else { return }
                state.entries.keep(entry, for: name, cost: size + Self.overhead)
            }
        }
        if let entry, let value = entry.value as? Value, entry.stamp == stamp,
            entry.stamp.isSettled
        {
            keep(value, entry.size)
            return value
        }
        // The stamp was taken before this read: a change in between is seen at the next check.
        guard let (value, size) = try load() else {
            forgetAbsent(name)
            return nil
        }
        keep(value, size)
        return value
    }

    /// How long after a check a value may be used, given the current stamp of its folder.
    private func lifetime(
        of entry: Entry,
        in collection: ChangeStamp?,
        _ doubted: ContinuousClock.Instant?,
    ) -> Duration {
        guard let collection else {
            return doubted.map { entry.checked > $0 } ?? true ? interval : .zero
        }
        return entry.collection == collection ? longInterval : .zero
    }

    private func stamp(
        of name: DocumentName,
        isCurrent: Bool,
    ) throws(StoreFailure) -> ChangeStamp? {
        do throws(StoreFailure) {
            let stamp = try isCurrent ? backend.stamp(of: name) : backend.knownStamp(of: name)
            if let stamp { return stamp }
        } catch {
            forget(name)
            throw error
        }
        forgetAbsent(name)
        return nil
    }

    /// Makes every value be checked again before it is next returned, because something has changed.
    func doubt() {
        let now = ContinuousClock.now
        state.withLock { state in
            state.doubted = now
            state.tops.removeAll()
        }
    }

    func forget(_ name: DocumentName) {
        state.withLock { state in
            state.age += 1
            state.entries.remove(name)
            state.tops[name.components[0]] = nil
        }
    }

    /// Forgets a document that the backend no longer has.
    ///
    /// If it was not cached, nothing derived from it is stale. This keeps repeated reads of a folder that
    /// does not exist yet from invalidating the cache.
    private func forgetAbsent(_ name: DocumentName) {
        guard state.withLock({ $0.entries.value(name) }) != nil else { return }
        forget(name)
    }

    func forgetAll() {
        state.withLock { state in
            state.age += 1
            state.entries.removeAll()
            state.tops.removeAll()
            state.derived.removeAll()
        }
    }
}
