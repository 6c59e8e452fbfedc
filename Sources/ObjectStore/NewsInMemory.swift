import Store
import Synchronization

/// What this process knows of the store, and for how long that is good: until a change is announced.
///
/// A change is announced before it is made, so that the end of a process in between hides none. For
/// ``NewsTiming/settling`` after the announcement what it concerns is asked about itself, a few times a
/// second at most.
final class NewsInMemory: Sendable {
    /// A moment from which on what the store answers counts.
    struct Moment: Sendable {
        /// The latest announcement that was known.
        let number: Int
        let asked: ContinuousClock.Instant
    }

    struct Change {
        let number: Int
        let heard: ContinuousClock.Instant
        /// Of an announcement of this process itself; nil for that of another one.
        var own: OwnChange?
    }

    struct Known {
        let stamp: ChangeStamp?
        let moment: Moment
    }

    struct State {
        /// How many follow; nothing is known for good while nobody does.
        var followers = 0
        /// When the last look that the store answered began.
        var heard: ContinuousClock.Instant?
        /// The same of the last look at which there was a page.
        var found: ContinuousClock.Instant?
        var number = 0
        /// What was known before this announcement is forgotten.
        var floor = 0
        /// Of paths, of folders whose lists or direct documents change, and of what is at the top.
        var paths: [String: Change] = [:]
        var tops: [String: Change] = [:]
        var stamps: [String: Known] = [:]
        /// Changes of this process that are being made: at each path, in each folder.
        var underWay = ChangesUnderWay()
        var nextBell = 0
        var bells: [Int: @Sendable () -> Void] = [:]
    }

    let timing: NewsTiming
    let state = Mutex(State())

    /// Paths that are remembered; what is known beyond is asked for again.
    static let most = 100_000
    /// What was changed behind everybody's back is found after this time.
    private static let longest = Duration.seconds(300)
    /// Between two questions about what may change at any moment.
    private static let pace = Duration.milliseconds(250)
    /// A store that has not answered for as long is out of reach: what is known has to do.
    static let silence = Duration.seconds(5)

    init(_ timing: NewsTiming) {
        self.timing = timing
    }

    // MARK: Hearing

    /// Counts a follower; the first one may know nothing from before.
    func follow() {
        state.withLock { state in
            state.followers += 1
            if state.followers == 1 { state.stamps = [:] }
        }
    }

    var isFollowed: Bool { state.withLock { $0.followers > 0 } }

    func unfollow() { state.withLock { $0.followers -= 1 } }

    /// How long ago a look began that the store answered; nil before the first.
    func silence(at now: ContinuousClock.Instant = .now) -> Duration? {
        state.withLock { $0.heard }.map { now - $0 }
    }

    /// Whether the store has not answered for so long that it is out of reach.
    var isSilent: Bool { silence().map { $0 > Self.silence } ?? false }

    /// Notes that the store answered a look that began then.
    func hear(from sent: ContinuousClock.Instant, isThere: Bool) {
        state.withLock { state in
            state.heard = max(sent, state.heard ?? sent)
            if isThere { state.found = max(sent, state.found ?? sent) }
        }
    }

    /// Whether something of the store was there a moment ago, so that what is missing is no sign that all
    /// of it is gone.
    var hasFoundStore: Bool {
        state.withLock { state in
            guard state.followers > 0, let found = state.found else { return false }
            return .now - found < Self.foundLately
        }
    }

    /// Three looks.
    private static let foundLately = Duration.seconds(2)

    /// Notes the announcements of a page that are new, and rings for those of other processes.
    ///
    /// - Parameters:
    ///   - page: as it was read or written.
    ///   - isOwn: whether this process wrote it, so that its last announcement is its own.
    ///   - now: when it was heard.
    func note(
        _ page: NewsPage,
        isOwn: Bool = false,
        at now: ContinuousClock.Instant = .now,
    ) {
        let bells = state.withLock { state -> [@Sendable () -> Void] in
            // A page that starts over, or after a gap, does not say what changed in between.
            if page.last < state.number || page.dropped > state.number {
                state.floor = max(state.number, page.last) + 1
                state.number = page.last
                Self.forget(&state)
            }
            let new = page.entries.filter { $0.number > state.number }
            guard !new.isEmpty else { return [] }
            var isForeign = false
            for entry in new {
                let isOwn = isOwn && entry.number == page.last
                if !isOwn { isForeign = true }
                note(entry, isOwn: isOwn, in: &state, at: now)
            }
            state.number = page.last
            if state.paths.count > Self.most {
                state.floor = page.last + 1
                Self.forget(&state)
            }
            // Those of one’s own ring once they are made.
            return isForeign ? Array(state.bells.values) : []
        }
        for ring in bells { ring() }
    }

    private static func forget(_ state: inout State) {
        state.paths = [:]
        state.stamps = [:]
        // What is at the top counts as changed just now.
        let change = Change(number: state.floor, heard: .now)
        state.tops = state.tops.mapValues { _ in change }
    }

    private func note(
        _ entry: NewsPage.Entry,
        isOwn: Bool,
        in state: inout State,
        at now: ContinuousClock.Instant,
    ) {
        for path in entry.changed {
            func changed(_ old: Change?, current: ChangeStamp?? = nil) -> Change {
                var change = Change(number: entry.number, heard: now)
                guard isOwn else { return change }
                change.own = OwnChange(
                    of: path,
                    after: old,
                    in: entry.number,
                    current: current,
                    settling: timing.settling,
                    at: now,
                )
                return change
            }
            state.paths[path] = changed(
                state.paths[path],
                current: stamp(of: path, in: state, now),
            )
            let parts = path.split(separator: "/").map(String.init)
            if let top = parts.first { state.tops[top] = changed(state.tops[top]) }
            // The stamp of a folder is made of the documents that are directly in it; of a journal it
            // has no more than the name.
            let isListed = entry.listed.contains(path)
            var folder = parts.dropLast()
            var isDirect = !path.hasSuffix(".jsonl")
            while !folder.isEmpty {
                if isDirect || isListed {
                    let place = folder.joined(separator: "/")
                    let current = stamp(of: place, in: state, now)
                    state.paths[place] = changed(state.paths[place], current: current)
                }
                isDirect = false
                folder = folder.dropLast()
            }
        }
    }

    func addBell(_ ring: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextBell += 1
            state.bells[state.nextBell] = ring
            return state.nextBell
        }
    }

    func removeBell(_ number: Int) { state.withLock { _ = $0.bells.removeValue(forKey: number) } }

    // MARK: Knowing

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

    /// What the store would answer, as far as it is known; nil where it has to be asked.
    func stamp(of path: String) -> ChangeStamp?? {
        state.withLock { stamp(of: path, in: $0, .now) }
    }

    private func stamp(
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
        guard state.heard != nil, known.moment.number >= state.floor,
            now - known.moment.asked < Self.longest
        else { return nil }
        guard let change = state.paths[path] else { return .some(known.stamp) }
        if let own = change.own, own.isAlone(at: now, settling: timing.settling) {
            let underWay = state.underWay[path]
            if underWay == nil, own.expected.isEmpty {
                let isBehind = known.moment.asked >= own.done ?? change.heard
                return isBehind ? .some(known.stamp) : nil
            }
            // Nobody was told yet that it has changed.
            if now - (underWay ?? change.heard) < Self.patience, let current = own.current {
                return current
            }
        }
        let isBehind = known.moment.number >= change.number
        let isSettled = known.moment.asked - change.heard > timing.settling
        let isFresh = now - known.moment.asked < Self.pace
        return isBehind && (isSettled || isFresh) ? .some(known.stamp) : nil
    }

    /// How long a change of this process may take before the store is asked what has become of it.
    private static let patience = Duration.seconds(1)

    /// Whether the store has said that nothing is there, and nothing has been announced since.
    func isAbsent(_ path: String) -> Bool {
        if case .some(.none) = stamp(of: path) { !isSilent } else { false }
    }

    /// What tells whether anything at or below something at the top has changed; nil while nobody follows.
    func stamp(ofTop top: String) -> ChangeStamp? {
        let now = ContinuousClock.now
        return state.withLock { state in
            guard state.followers > 0, let heard = state.heard else { return nil }
            guard let change = state.tops[top] else {
                return ChangeStamp(values: [state.floor, 0], isSettled: true)
            }
            if let own = change.own, own.isAlone(at: now, settling: timing.settling),
                own.expected.isEmpty, state.underWay[ChangesUnderWay.top(top)] == nil
            {
                let phase = -2 - own.count
                return ChangeStamp(values: [change.number, phase], isSettled: true)
            }
            let age = now - change.heard
            let isSettled = age > timing.settling || now - heard > Self.silence
            let phase = isSettled ? -1 : Int(age / (Self.pace * 2))
            return ChangeStamp(values: [change.number, phase], isSettled: isSettled)
        }
    }
}
