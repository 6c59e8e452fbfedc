import Synchronization

/// A value that is made of several documents.
struct DerivedValue: Sendable {
    let value: any Sendable
    /// Of the folders and documents at the top that it is made of, before they were read.
    let stamps: [ChangeStamp]
    let made: ContinuousClock.Instant
}

extension DocumentCache {
    /// A value that is made of several documents, kept until one of them changes.
    ///
    /// - Parameters:
    ///   - key: names the value; one for each type.
    ///   - tops: the folders and documents at the top of the store that it is made of.
    ///   - isKept: whether a value is; one with gaps is derived again each time.
    ///   - make: makes it, from what is in memory where that has not changed.
    /// - Returns: the value.
    /// - Throws: what the back end or `make` throws.
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

    /// What tells whether any document in these folders, or any of these documents, has changed since;
    /// nil where the back end cannot tell.
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

    /// What the back end says of a folder or document at the top; asked at most once per interval.
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
