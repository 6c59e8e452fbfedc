import Synchronization

/// A value computed from several documents.
struct DerivedValue: Sendable {
    let value: any Sendable
    /// The stamps of its top-level folders and documents, taken before those were read.
    let stamps: [ChangeStamp]
    let made: ContinuousClock.Instant
}

extension DocumentCache {
    /// Returns a value computed from several documents, cached until one of them changes.
    ///
    /// - Parameters:
    ///   - key: the name of the value; each type has its own.
    ///   - tops: the top-level folders and documents of the store from which it is computed.
    ///   - isKept: whether to cache a value; an incomplete one is computed again each time.
    ///   - make: computes it, from cached documents where those are unchanged.
    /// - Returns: the value.
    /// - Throws: the errors of the backend or of `make`.
    func derived<Value: Sendable>(
        _ key: String,
        of tops: [String],
        isKept: (Value) -> Bool,
        make: () throws(StoreFailure) -> Value,
    ) throws(StoreFailure) -> Value {
        let now = ContinuousClock.now
        let age = state.withLock(\.age)
        guard let stamps = try changeStamps(of: tops, at: now) else { return try make() }
        if let known = state.withLock({ $0.derived[key] }), known.stamps == stamps,
            now - known.made < longInterval, let value = known.value as? Value
        {
            return value
        }
        let value = try make()
        guard isKept(value) else { return value }
        state.withLock { state in
            guard state.age == age else { return }
            state.derived[key] = DerivedValue(value: value, stamps: stamps, made: now)
        }
        return value
    }

    /// The stamps of these top-level folders or documents, which change whenever a document in them may
    /// have changed; nil if the backend has none.
    func changeStamps(
        of tops: [String],
        at now: ContinuousClock.Instant = .now,
    ) throws(StoreFailure) -> [ChangeStamp]? {
        var stamps: [ChangeStamp] = []
        for top in tops {
            guard let stamp = try topStamp(top, at: now) else { return nil }
            stamps.append(stamp)
        }
        return stamps
    }

    /// The backend's stamp of a top-level folder or document; asked for at most once per interval.
    func topStamp(
        _ top: String,
        at now: ContinuousClock.Instant,
    ) throws(StoreFailure) -> ChangeStamp? {
        let (known, age) = state.withLock { ($0.tops[top], $0.age) }
        if let known, now - known.checked < interval { return known.stamp }
        let stamp = try backend.changeStamp(of: top)
        state.withLock { state in
            guard state.age == age else { return }
            state.tops[top] = (stamp, now)
        }
        return stamp
    }
}
