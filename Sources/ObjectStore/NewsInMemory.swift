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
        /// Of everything that was noted here; no two have the same.
        let serial: Int
        /// Of an announcement of this process itself; nil for that of another one.
        var own: OwnChange?
    }

    struct Known {
        let stamp: ChangeStamp?
        let moment: Moment
        /// When the store was asked for what it is made of, where this process has added to that since.
        var looked: ContinuousClock.Instant?
    }

    struct State {
        /// How many follow; nothing is known for good while no one does.
        var followers = 0
        /// When the last look that the store answered began.
        var heard: ContinuousClock.Instant?
        /// The same of the last look at which there was a page.
        var found: ContinuousClock.Instant?
        var number = 0
        /// When the latest page was sent or asked for that is noted here.
        var noted: ContinuousClock.Instant?
        var serial = 0
        /// How often the store has answered again after it was out of reach: what was given out meanwhile
        /// was no more than what was known.
        var returns = 0
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

        mutating func nextSerial() -> Int {
            serial += 1
            return serial
        }
    }

    let timing: NewsTiming
    let state = Mutex(State())

    /// Paths that are remembered; what is known beyond is asked for again.
    static let most = 100_000
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
            if let heard = state.heard, sent - heard > Self.silence { state.returns += 1 }
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
    ///   - asked: when it was sent or asked for; nil for just now.
    ///   - now: when it was heard.
    func note(
        _ page: NewsPage,
        isOwn: Bool = false,
        asked: ContinuousClock.Instant? = nil,
        at now: ContinuousClock.Instant = .now,
    ) {
        let bells = state.withLock { state -> [@Sendable () -> Void] in
            // An answer that a later page has overtaken says nothing.
            let asked = asked ?? now
            if page.last < state.number, let noted = state.noted, asked < noted { return [] }
            if page.last != state.number { state.noted = now }
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
        let change = Change(number: state.floor, heard: .now, serial: state.nextSerial())
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
                var change = Change(
                    number: entry.number,
                    heard: now,
                    serial: state.nextSerial(),
                )
                guard isOwn else { return change }
                change.own = OwnChange(
                    of: path,
                    after: old,
                    in: entry.number,
                    current: current,
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
}
