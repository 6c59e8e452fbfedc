import Store
import Synchronization

/// What this process knows about the store, which is valid until a change is announced.
///
/// A change is announced before it is made, so that a process that ends in between hides no change. For
/// ``NewsTiming/settling`` after the announcement, the store is asked for the state of the changed
/// documents, at most a few times per second.
final class NewsInMemory: Sendable {
    /// The start of a request, which decides whether its answer is still valid.
    struct Moment: Sendable {
        /// The number of the latest known announcement.
        let number: Int
        let asked: ContinuousClock.Instant
    }

    struct Change {
        let number: Int
        let heard: ContinuousClock.Instant
        /// Unique among all changes recorded here.
        let serial: Int
        /// Set for an announcement by this process; nil for another process's.
        var own: OwnChange?
    }

    struct Known {
        let stamp: ChangeStamp?
        let moment: Moment
        /// For a list to which this process has added since, when it was requested.
        var looked: ContinuousClock.Instant?
    }

    struct State {
        /// The number of followers; while there are none, nothing is known for longer than
        /// ``NewsTiming/trusting``.
        var followers = 0
        /// When the last answered poll started.
        var heard: ContinuousClock.Instant?
        /// When the last answered poll started that found a page.
        var found: ContinuousClock.Instant?
        var number = 0
        /// When the latest recorded page was sent or requested.
        var noted: ContinuousClock.Instant?
        var serial = 0
        /// The number of times that the store answered again after being out of reach; answers in between
        /// may have been outdated.
        var returns = 0
        /// Everything known before this announcement is invalid.
        var floor = 0
        /// The latest changes of paths, of folders whose lists or documents changed, and of top-level
        /// folders.
        var paths: [String: Change] = [:]
        var tops: [String: Change] = [:]
        var stamps: [String: Known] = [:]
        /// The changes that this process is making, by path and folder.
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

    /// The most paths that are remembered; anything else is requested again.
    static let most = 100_000
    /// The time without an answer after which the store is out of reach, so that known values are used.
    static let silence = Duration.seconds(5)

    init(_ timing: NewsTiming) {
        self.timing = timing
    }

    // MARK: Hearing

    /// Adds a follower; the first one discards what was known before.
    func follow() {
        state.withLock { state in
            state.followers += 1
            if state.followers == 1 { state.stamps = [:] }
        }
    }

    var isFollowed: Bool { state.withLock { $0.followers > 0 } }

    func unfollow() { state.withLock { $0.followers -= 1 } }

    /// The time since the start of the last answered poll; nil before the first.
    func silence(at now: ContinuousClock.Instant = .now) -> Duration? {
        state.withLock { $0.heard }.map { now - $0 }
    }

    /// Whether the store has not answered for so long that it is out of reach.
    var isSilent: Bool { silence().map { $0 > Self.silence } ?? false }

    /// Records that the store answered a poll that started at `sent`.
    func hear(from sent: ContinuousClock.Instant, isThere: Bool) {
        state.withLock { state in
            if let heard = state.heard, sent - heard > Self.silence { state.returns += 1 }
            state.heard = max(sent, state.heard ?? sent)
            if isThere { state.found = max(sent, state.found ?? sent) }
        }
    }

    /// Whether the news page existed recently, so that a missing object does not mean that the whole store
    /// is missing.
    var hasFoundStore: Bool {
        state.withLock { state in
            guard state.followers > 0, let found = state.found else { return false }
            return .now - found < Self.foundLately
        }
    }

    /// About three polls.
    private static let foundLately = Duration.seconds(2)

    /// Records the new announcements of a page, and notifies subscribers of those by other processes.
    ///
    /// - Parameters:
    ///   - page: the page as read or written.
    ///   - isOwn: whether this process wrote it, so that the last announcement is its own.
    ///   - asked: when it was sent or requested; nil for now.
    ///   - now: the current time.
    func note(
        _ page: NewsPage,
        isOwn: Bool = false,
        asked: ContinuousClock.Instant? = nil,
        at now: ContinuousClock.Instant = .now,
    ) {
        let bells = state.withLock { state -> [@Sendable () -> Void] in
            // Ignore an answer that is older than a page already recorded.
            let asked = asked ?? now
            if page.last < state.number, let noted = state.noted, asked < noted { return [] }
            if page.last != state.number { state.noted = now }
            // A page that was created again, or that follows a gap, does not show what changed in between.
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
            // Subscribers are notified of this process's own changes once they are made.
            return isForeign ? Array(state.bells.values) : []
        }
        for ring in bells { ring() }
    }

    private static func forget(_ state: inout State) {
        state.paths = [:]
        state.stamps = [:]
        // Everything at the top level counts as just changed.
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
            // The stamp of a folder is computed from the documents directly in it; of a journal it includes
            // only the name.
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
