import Store
import Synchronization

/// What is known of a change that this process itself has announced.
///
/// The process that makes a change knows when it is made and the result, so that no one has to ask
/// the store for as long as one of another process could still arrive.
struct OwnChange {
    /// The announced changes that were not made yet, by their paths.
    private(set) var expected: Set<String>
    /// When another process announced one last; nil where none is known to have.
    let foreign: ContinuousClock.Instant?
    /// What is known to be there until the next of the changes is made; nil where that is unknown.
    var current: ChangeStamp??
    /// When one was made last.
    private(set) var done: ContinuousClock.Instant?
    /// How many were made.
    private(set) var count = 0

    /// - Parameters:
    ///   - path: of the document or journal that is about to change.
    ///   - old: what was known of an earlier announcement.
    ///   - number: of the announcement; one may be of several changes.
    ///   - current: what is there now.
    init(
        of path: String,
        after old: NewsInMemory.Change?,
        in number: Int,
        current: ChangeStamp??,
    ) {
        if let own = old?.own {
            self = own
            expected.insert(path)
            if old?.number != number { self.current = current }
            return
        }
        expected = [path]
        foreign = old?.heard
        self.current = current
    }

    /// Whether no change of another process is expected any more: it may arrive for `settling` after its
    /// announcement.
    func isAlone(at now: ContinuousClock.Instant, settling: Duration) -> Bool {
        foreign.map { now - $0 > settling } ?? true
    }

    /// Notes that one of the changes was made.
    mutating func make(_ path: String, at now: ContinuousClock.Instant) {
        expected.remove(path)
        done = now
        count += 1
    }
}

/// The changes that this process is making, and since when it makes one, by paths and the folders above.
struct ChangesUnderWay {
    private var places: [String: (count: Int, since: ContinuousClock.Instant)] = [:]

    /// Since when there has been one; nil while there is none.
    subscript(_ place: String) -> ContinuousClock.Instant? { places[place]?.since }

    /// What a folder or document at the top is called here, as a whole.
    static func top(_ name: String) -> String { "/" + name }

    mutating func begin(_ path: String, at now: ContinuousClock.Instant) {
        for place in Self.places(of: path) { places[place, default: (0, now)].count += 1 }
    }

    mutating func end(_ path: String) {
        for place in Self.places(of: path) {
            guard let there = places[place] else { continue }
            places[place] = there.count > 1 ? (there.count - 1, there.since) : nil
        }
    }

    private static func places(of path: String) -> [String] {
        [path] + folders(of: path) + [top(String(path.prefix { $0 != "/" }))]
    }

    /// The folders above a path, the nearest first.
    static func folders(of path: String) -> [String] {
        var folders: [String] = []
        var parts = path.split(separator: "/").dropLast()
        while !parts.isEmpty {
            folders.append(parts.joined(separator: "/"))
            parts = parts.dropLast()
        }
        return folders
    }
}

extension NewsInMemory {
    /// What came of a change of this process.
    enum Outcome {
        /// The document or journal has this stamp now; nil for one that is not there any more.
        case made(ChangeStamp?)
        /// No one knows what is there now.
        case unknown
    }

    /// A folder with what this process has added.
    struct Relisted {
        let stamp: ChangeStamp
        /// When the store was asked for its list.
        let asked: ContinuousClock.Instant
    }

    /// Notes that this process begins a change that is announced.
    func begin(_ path: String) {
        state.withLock { $0.underWay.begin(path, at: .now) }
    }

    /// Notes the result, forgets what was asked meanwhile, which may be from before it, and rings.
    ///
    /// - Parameters:
    ///   - path: of the document or journal.
    ///   - outcome: the result.
    ///   - relist: gives the stamp of a folder above as it is with the change, for the one that it had
    ///     before, and when the store was asked for its list; nil where that is not known.
    func end(
        _ path: String,
        _ outcome: Outcome,
        relist: (_ folder: String, _ before: ChangeStamp) -> Relisted?,
    ) {
        let now = ContinuousClock.now
        let bells = state.withLock { state -> [@Sendable () -> Void] in
            state.underWay.end(path)
            state.stamps[path] = nil
            let folders = ChangesUnderWay.folders(of: path)
            for folder in folders where state.paths[folder] != nil { state.stamps[folder] = nil }
            let top = String(path.prefix { $0 != "/" })
            guard case .made(let stamp) = outcome else {
                let serial = state.nextSerial()
                for place in [path] + folders { Self.doubt(&state.paths, place, serial, now) }
                Self.doubt(&state.tops, top, serial, now)
                return Array(state.bells.values)
            }
            func note(
                _ place: String,
                _ stamp: ChangeStamp??,
                looked: ContinuousClock.Instant? = nil,
            ) {
                guard var change = state.paths[place], var own = change.own else { return }
                own.make(path, at: now)
                own.current = stamp
                change.own = own
                state.paths[place] = change
                guard case .some(let stamp) = stamp, own.foreignIsOver(now, timing) else { return }
                keep(stamp, at: place, looked: looked, in: &state, now)
            }
            note(path, .some(stamp))
            if state.followers == 0, timing.trusting > .zero {
                keep(stamp, at: path, in: &state, now)
            }
            for folder in folders {
                let before = state.paths[folder]?.own?.current ?? nil
                let after = before.flatMap { relist(folder, $0) }
                note(folder, (after?.stamp).map(Optional.some), looked: after?.asked)
            }
            if var change = state.tops[top], change.own != nil {
                change.own?.make(path, at: now)
                state.tops[top] = change
            }
            return Array(state.bells.values)
        }
        for ring in bells { ring() }
    }

    private func keep(
        _ stamp: ChangeStamp?,
        at place: String,
        looked: ContinuousClock.Instant? = nil,
        in state: inout State,
        _ now: ContinuousClock.Instant,
    ) {
        if state.stamps.count >= Self.most { state.stamps = [:] }
        state.stamps[place] = Known(
            stamp: stamp,
            moment: Moment(number: state.number, asked: now),
            looked: looked,
        )
    }

    /// What is there is asked of the store for a while.
    private static func doubt(
        _ changes: inout [String: Change],
        _ place: String,
        _ serial: Int,
        _ now: ContinuousClock.Instant,
    ) {
        guard let change = changes[place] else { return }
        changes[place] = Change(number: change.number, heard: now, serial: serial)
    }
}

extension OwnChange {
    fileprivate func foreignIsOver(_ now: ContinuousClock.Instant, _ timing: NewsTiming) -> Bool {
        isAlone(at: now, settling: timing.settling)
    }
}
