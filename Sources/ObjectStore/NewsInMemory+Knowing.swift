import Store
import Synchronization

/// What is known, and for how long.
extension NewsInMemory {
    /// What was changed behind everyone's back is found after this time.
    private static var longest: Duration { .seconds(300) }
    /// Between two questions about what may change at any moment.
    private static var pace: Duration { .milliseconds(250) }

    /// To be taken before the store is asked.
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

    /// What the store has said is not there.
    var absentPaths: [String] {
        state.withLock { state in state.stamps.compactMap { $1.stamp == nil ? $0 : nil } }
    }

    /// What the store would answer, as far as it is known; nil where it has to be asked.
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
        // Nothing better is to be had.
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
            // Nothing was notified yet that it has changed.
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

    /// Whether no one has to look again by now after a look that long after an announcement.
    ///
    /// A writer that is killed, or loses its line, may have made its change late, and cannot say so any
    /// more. So there are a few further looks, each after four times as long.
    private func isLooked(
        _ looked: ContinuousClock.Instant,
        after heard: ContinuousClock.Instant,
        _ now: ContinuousClock.Instant,
    ) -> Bool {
        looks(at: looked - heard) == looks(at: now - heard)
    }

    /// How many looks are due by then after an announcement.
    private func looks(at age: Duration) -> Int {
        var looks = 0
        var due = timing.settling
        while age > due, looks < Self.mostLooks {
            looks += 1
            due *= 4
        }
        return looks
    }

    /// The last but one is after three minutes; what comes later is found after ``longest``.
    private static var mostLooks: Int { 4 }

    /// How long a change of this process may take before the store is asked what has become of it.
    private static var patience: Duration { .seconds(1) }

    /// Whether the store has said that nothing is there, and nothing has been announced since.
    func isAbsent(_ path: String) -> Bool {
        if case .some(.none) = stamp(of: path) { !isSilent } else { false }
    }

    /// What tells whether anything at or below something at the top has changed; nil while no one follows.
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
