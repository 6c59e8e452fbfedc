import Store
import Synchronization

/// The state of a change that this process has announced.
///
/// This process knows when its change is made and what the result is, so it need not ask the store, as it
/// must for as long as a change of another process may still arrive.
struct OwnChange {
    /// The paths of the announced changes that have not been made yet.
    private(set) var expected: Set<String>
    /// When another process last announced a change; nil if none is known to have.
    let foreign: ContinuousClock.Instant?
    /// The stamp that is valid until the next of the changes is made; nil if unknown.
    var current: ChangeStamp??
    /// When the last of the changes was made.
    private(set) var done: ContinuousClock.Instant?
    /// The number of changes made.
    private(set) var count = 0

    /// - Parameters:
    ///   - path: the document or journal that will change.
    ///   - old: the previous announcement.
    ///   - number: the number of the announcement, which may have several changes.
    ///   - current: its current stamp.
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

    /// Whether no change of another process can still arrive: it may for `settling` after its announcement.
    func isAlone(at now: ContinuousClock.Instant, settling: Duration) -> Bool {
        foreign.map { now - $0 > settling } ?? true
    }

    /// Records that one of the changes was made.
    mutating func make(_ path: String, at now: ContinuousClock.Instant) {
        expected.remove(path)
        done = now
        count += 1
    }
}

/// The changes in progress in this process, with their start times, by path and by the folders that contain
/// them.
struct ChangesUnderWay {
    private var places: [String: (count: Int, since: ContinuousClock.Instant)] = [:]

    /// Since when a change has been in progress; nil if there is none.
    subscript(_ place: String) -> ContinuousClock.Instant? { places[place]?.since }

    /// The key of everything in a top-level folder or document.
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

    /// The folders that contain a path, innermost first.
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
    /// The result of a change by this process.
    enum Outcome {
        /// The document or journal now has this stamp; nil if it no longer exists.
        case made(ChangeStamp?)
        /// The current state is unknown.
        case unknown
    }

    /// The state of a folder's list after this process has added to it.
    struct Relisted {
        let stamp: ChangeStamp
        /// When the list was requested.
        let asked: ContinuousClock.Instant
    }

    /// Records that this process starts an announced change.
    func begin(_ path: String) {
        state.withLock { $0.underWay.begin(path, at: .now) }
    }

    /// Records the result of a change, forgets answers from requests during the change, which may be older,
    /// and notifies subscribers.
    ///
    /// - Parameters:
    ///   - path: the document or journal.
    ///   - outcome: the result.
    ///   - relist: returns the new state of a containing folder's list, given its previous stamp; nil if
    ///     unknown.
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

    /// Makes the store be asked for the state of a path for some time.
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
