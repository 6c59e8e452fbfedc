import Bytes
import Synchronization

/// What has been read and decoded, kept while the back end says that it has not changed.
///
/// A folder at the top of the store tells whether anything below it has changed, so that a thousand
/// documents cost one look per ``interval``; what another process wrote is seen within the interval.
/// What has no such folder is checked itself, by its stamp, which costs no read. A document that
/// was changed by hand, or by an earlier version, is seen after ``longInterval``.
final class DocumentCache: Sendable {
    let backend: any Backend
    let interval: Duration
    let state = Mutex(State())
    /// Bytes of the documents that are kept.
    private static let limit = 32 << 20
    /// What an entry takes beside its document, in bytes.
    private static let overhead = 512

    struct Entry: Sendable {
        let value: any Sendable
        /// Bytes of the document.
        let size: Int
        let stamp: ChangeStamp
        /// The stamp of the folder at the top before the document was read.
        let collection: ChangeStamp?
        let checked: ContinuousClock.Instant
    }

    struct State {
        var entries = RecentValues<DocumentName, Entry>(limit: DocumentCache.limit)
        /// What the back end said of folders and documents at the top, by their names.
        var tops: [String: (stamp: ChangeStamp?, checked: ContinuousClock.Instant)] = [:]
        var derived: [String: DerivedValue] = [:]
        /// How often something was forgotten: what was read before may be older than that.
        var age = 0
        /// What was checked before is checked again, no matter how recently.
        var doubted: ContinuousClock.Instant?
    }

    init(backend: any Backend, interval: Duration) {
        self.backend = backend
        self.interval = interval
    }

    /// After this time, a document itself is checked, whatever its folder says.
    var longInterval: Duration { interval * 150 }

    /// The value of a document or folder, which `load` reads when it is not here or has changed; nil
    /// when the back end has none.
    ///
    /// - Parameters:
    ///   - name: of the document or folder.
    ///   - isCurrent: whether the back end is asked even if it was a moment ago; a document that has
    ///     not changed is not read again for it.
    ///   - load: reads the value, and says how many bytes it takes.
    /// - Returns: the value.
    /// - Throws: what the back end or `load` throws.
    func value<Value: Sendable>(
        _ name: DocumentName,
        isCurrent: Bool = false,
        load: () throws(StoreFailure) -> (value: Value, size: Int)?,
    ) throws(StoreFailure) -> Value? {
        let now = ContinuousClock.now
        // Older than what is read below: a change in between is seen at the next look.
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
        // The stamp is older than what is read now: a change in between is seen at the next look.
        guard let (value, size) = try load() else {
            forgetAbsent(name)
            return nil
        }
        keep(value, size)
        return value
    }

    /// For how long after a look a value is good, where its folder has the stamp that it has now.
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

    /// Makes each value be checked again before it is next returned, because something has changed.
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

    /// Forgets what the back end has no more.
    ///
    /// What was not here either has not changed, so what was made without it is still true: a folder that
    /// no one has made yet is looked for again and again.
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
