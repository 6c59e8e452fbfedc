import Store
import Synchronization

/// Decides what is known, and for how long.
extension NewsInMemory {
    /// The time after which an unannounced change is found.
    private static var longest: Duration { .seconds(300) }
    /// The minimum time between two requests for something that may change at any moment.
    private static var pace: Duration { .milliseconds(250) }

    /// Marks the start of a request; called before it is sent.
    func moment() -> Moment {
        state.withLock { Moment(number: $0.number, asked: .now) }
    }

    func keep(_ stamp: ChangeStamp?, of path: String, since moment: Moment) {
        state.withLock { state in
            guard state.followers > 0 || timing.trusting > .zero else { return }
            if state.stamps.count >= Self.most { state.stamps = [:] }
            state.stamps[path] = Known(stamp: stamp, moment: moment)
        }
    }

    /// The paths known not to exist.
    var absentPaths: [String] {
        state.withLock { state in state.stamps.compactMap { $1.stamp == nil ? $0 : nil } }
    }

    /// The stamp of a path if it is known; nil if the store must be asked.
    func stamp(of path: String, at now: ContinuousClock.Instant = .now) -> ChangeStamp?? {
        state.withLock { stamp(of: path, in: $0, now) }
    }

    func stamp(
        of path: String,
        in state: State,
        _ now: ContinuousClock.Instant,
    ) -> ChangeStamp?? {
        guard let known = state.stamps[path] else { return nil }
        guard state.followers > 0 else {
            return now - known.moment.asked < timing.trusting ? .some(known.stamp) : nil
        }
        // The store is out of reach: use what is known.
        if let heard = state.heard, now - heard > Self.silence { return .some(known.stamp) }
        let looked = known.looked ?? known.moment.asked
        guard state.heard != nil, known.moment.number >= state.floor, now - looked < Self.longest
        else { return nil }
        guard let change = state.paths[path] else { return .some(known.stamp) }
        if let own = change.own, own.isAlone(at: now, settling: timing.settling) {
            let underWay = state.underWay[path]
            if underWay == nil, own.expected.isEmpty {
                let isBehind = known.moment.asked >= own.done ?? change.heard
                let isSure = own.foreign.map { isLooked(looked, after: $0, now) } ?? true
                return isBehind && isSure ? .some(known.stamp) : nil
            }
            // None of the announced changes has completed yet.
            if now - (underWay ?? change.heard) < Self.patience, let current = own.current {
                return current
            }
        }
        let isBehind = known.moment.number >= change.number
        let isSettled =
            known.moment.asked - change.heard > timing.settling
            && isLooked(looked, after: change.heard, now)
        let isFresh = now - known.moment.asked < Self.pace
        return isBehind && (isSettled || isFresh) ? .some(known.stamp) : nil
    }

    /// Whether no further check is due now, given when the path was last checked after an announcement.
    ///
    /// A writer that is killed or loses its connection may make its change late without announcing it
    /// again. A few further checks therefore follow, each after four times as long as the one before.
    private func isLooked(
        _ looked: ContinuousClock.Instant,
        after heard: ContinuousClock.Instant,
        _ now: ContinuousClock.Instant,
    ) -> Bool {
        looks(at: looked - heard) == looks(at: now - heard)
    }

    /// The number of checks that are due at this time after an announcement.
    private func looks(at age: Duration) -> Int {
        var looks = 0
        var due = timing.settling
        while age > due, looks < Self.mostLooks {
            looks += 1
            due *= 4
        }
        return looks
    }

    /// The last but one check is after three minutes; later changes are found after ``longest``.
    private static var mostLooks: Int { 4 }

    /// How long a change of this process may take before the store is asked for its result.
    private static var patience: Duration { .seconds(1) }

    /// Whether the store has answered that the path does not exist, and nothing has been announced since.
    func isAbsent(_ path: String) -> Bool {
        if case .some(.none) = stamp(of: path) { !isSilent } else { false }
    }

    /// A stamp that changes whenever anything in a top-level folder may have changed; nil while changes are
    /// not followed.
    func stamp(
        ofTop top: String,
        at now: ContinuousClock.Instant = .now,
    ) -> ChangeStamp? {
        state.withLock { state in
            guard state.followers > 0, let heard = state.heard else { return nil }
            guard let change = state.tops[top] else {
                return ChangeStamp(values: [state.floor, state.returns], isSettled: true)
            }
            func stamp(_ phase: [Int], isSettled: Bool = true) -> ChangeStamp {
                ChangeStamp(
                    values: [state.floor, state.returns, change.serial] + phase,
                    isSettled: isSettled,
                )
            }
            if let own = change.own, own.isAlone(at: now, settling: timing.settling),
                own.expected.isEmpty, state.underWay[ChangesUnderWay.top(top)] == nil
            {
                return stamp([0, own.count, own.foreign.map { looks(at: now - $0) } ?? 0])
            }
            let age = now - change.heard
            if now - heard > Self.silence { return stamp([1]) }
            guard age <= timing.settling else { return stamp([2, looks(at: age)]) }
            return stamp([3, Int(age / (Self.pace * 2))], isSettled: false)
        }
    }
}
