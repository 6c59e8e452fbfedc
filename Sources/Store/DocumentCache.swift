import Synchronization

/// What has been read and decoded, kept while the back end says that it has not changed.
///
/// A value is looked at again at most once per ``interval``, by its stamp, which costs no read; so
/// a page costs no disk read, and what another process wrote is seen within the interval.
final class DocumentCache: Sendable {
    private let backend: any Backend
    private let interval: Duration
    private let state = Mutex(State())
    /// Entries after which the cache begins anew; a bound, not a tuned figure.
    private static let limit = 8192

    private struct Entry: Sendable {
        let value: any Sendable
        let stamp: ChangeStamp
        let checked: ContinuousClock.Instant
    }

    private struct State {
        var entries: [DocumentName: Entry] = [:]
        /// How often something was forgotten: what was read before may be older than that.
        var age = 0
        /// What was looked at before is looked at again, however short a time ago that was.
        var doubted: ContinuousClock.Instant?
    }

    init(backend: any Backend, interval: Duration) {
        self.backend = backend
        self.interval = interval
    }

    /// The value of a document or folder, which `load` reads when it is not here or has changed; nil
    /// when the back end has none.
    ///
    /// - Parameters:
    ///   - name: of the document or folder.
    ///   - isCurrent: whether the back end is asked even if it was a moment ago; a document that has
    ///     not changed is not read again for it.
    ///   - load: reads the value.
    /// - Returns: the value.
    /// - Throws: what the back end or `load` throws.
    func value<Value: Sendable>(
        _ name: DocumentName,
        isCurrent: Bool = false,
        load: () throws(StoreFailure) -> Value?,
    ) throws(StoreFailure) -> Value? {
        let now = ContinuousClock.now
        let (entry, age, doubted) = state.withLock { ($0.entries[name], $0.age, $0.doubted) }
        if let entry, let value = entry.value as? Value, !isCurrent,
            now - entry.checked < interval, doubted.map({ entry.checked > $0 }) ?? true
        {
            return value
        }
        guard let stamp = try stamp(of: name) else { return nil }
        if let entry, let value = entry.value as? Value, entry.stamp == stamp,
            entry.stamp.isSettled
        {
            keep(Entry(value: value, stamp: stamp, checked: now), for: name, since: age)
            return value
        }
        // The stamp is older than what is read now: a change in between is seen at the next look.
        guard let value = try load() else {
            forget(name)
            return nil
        }
        keep(Entry(value: value, stamp: stamp, checked: now), for: name, since: age)
        return value
    }

    private func stamp(of name: DocumentName) throws(StoreFailure) -> ChangeStamp? {
        do throws(StoreFailure) {
            if let stamp = try backend.stamp(of: name) { return stamp }
        } catch {
            forget(name)
            throw error
        }
        forget(name)
        return nil
    }

    /// Has each value looked at again before it is given out next, because something has changed.
    func doubt() {
        let now = ContinuousClock.now
        state.withLock { $0.doubted = now }
    }

    func forget(_ name: DocumentName) {
        state.withLock { state in
            state.age += 1
            _ = state.entries.removeValue(forKey: name)
        }
    }

    func forgetAll() {
        state.withLock { state in
            state.age += 1
            state.entries.removeAll()
        }
    }

    private func keep(_ entry: Entry, for name: DocumentName, since age: Int) {
        state.withLock { state in
            guard state.age == age else { return }
            if state.entries.count >= Self.limit { state.entries.removeAll(keepingCapacity: true) }
            state.entries[name] = entry
        }
    }
}
