import Cryptography
package import Essentials
package import Identifiers
package import Mirrors
import Releases
package import Store
import Versions

/// The queue of a mirror's builds, kept as documents so that a crash loses none.
package struct RunQueue: Sendable {
    /// The largest number of queued builds.
    package static let limit = 100
    /// The number of recent builds among which a build of the same commit is searched.
    private static let memory = 200
    /// Seconds after which no process can still write a build with a lower number.
    private static let settling = 3600.0

    let mirror: Slug
    let store: OTAStore
    private let now: Date

    /// `date` is the current time.
    package init(of mirror: Slug, in store: OTAStore, at date: Date) {
        self.mirror = mirror
        self.store = store
        now = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }

    package init(of mirror: Slug, in place: MirrorContext) {
        self.init(of: mirror, in: place.store, at: place.now)
    }

    /// Adds a build.
    ///
    /// A build of a branch replaces an older queued one of the same branch, unless a user requested that
    /// one.
    ///
    /// - Returns: nil if a push asks for what was built, or is queued, already.
    /// - Throws: ``MirrorRefusal/queueFull(_:)``, or ``StoreFailure``.
    @discardableResult
    package func add(_ request: RunRequest) throws -> MirrorRun? {
        if try isKnown(request) { return nil }
        let waiting = try open().filter { $0.state == .queued }
        guard waiting.count < Self.limit else { throw MirrorRefusal.queueFull(Self.limit) }
        let run = try append(request)
        if request.cause == .branch {
            for older in waiting
            where older.cause == .branch && older.reference == request.reference {
                try end(older, .cancelled, because: "build \(run.number) has a later commit")
            }
        }
        return run
    }

    /// Whether ``add(_:)`` has room for a build, or would not need to add it.
    func hasRoom(for request: RunRequest) throws -> Bool {
        let count = try open().count { $0.state == .queued }
        guard count >= Self.limit else { return true }
        return try isKnown(request)
    }

    /// Whether a push asks for what was built, or is queued, already.
    private func isKnown(_ request: RunRequest) throws -> Bool {
        // A manual build may have another version, another channel and other steps.
        guard request.cause != .manual else { return false }
        return try store.runs(of: mirror, count: Self.memory).contains { run in
            run.cause != .manual && run.reference == request.reference
                && run.commit == request.commit.description
                && run.state != .interrupted && !run.gaveWay
        }
    }

    /// Adds a build that a user requests.
    ///
    /// - Parameters:
    ///   - request: what to build.
    ///   - prefix: the prefix of the mirror's tags.
    /// - Returns: the build, with a warning if another build of the same commit is queued or running: a
    ///   manual build may have another name, channel and steps, so neither replaces the other.
    /// - Throws: ``MirrorRefusal`` for a tag that names no version, and for a tag that is on another commit
    ///   unless the request is a rebuild; ``MirrorRefusal/queueFull(_:)``, or `StoreFailure`.
    func addByHand(_ request: RunRequest, prefix: String?) throws -> MirrorRun {
        _ = try store.mirrorInUse(named: mirror.rawValue)
        if let tag = request.tag {
            do throws(VersionFlaw) {
                _ = try VersionTag(tag, prefix: prefix)
            } catch {
                throw MirrorRefusal.noVersion(tag.rawValue, error)
            }
            if !request.isRebuild { try check(tag, of: request) }
        }
        let twin = try open().last { $0.commit == request.commit.description }
        guard let run = try add(request) else { throw MirrorRefusal.nothingToBuild }
        guard let twin else { return run }
        return try store.changeRun(run.number, of: mirror) { $0.warnings.append(twin.noteForTwin) }
    }

    /// Refuses to build a tag on another commit, so that what testers have under its version stays the
    /// same.
    private func check(_ tag: TagName, of request: RunRequest) throws {
        let state = try store.mirrorState(mirror)
        let commit = request.commit.description
        if request.reference == tag.reference {
            guard let first = state.tags[tag.reference], first != commit else { return }
            throw MirrorRefusal.movedTag(tag.rawValue, from: first, to: commit)
        }
        let there = state.references[tag.reference] ?? state.tags[tag.reference]
        guard let there, there != commit else { return }
        throw MirrorRefusal.tagElsewhere(tag.rawValue, on: there, commit)
    }

    private func append(_ request: RunRequest) throws -> MirrorRun {
        while true {
            var number = 0
            try store.changeMirrorState(mirror) { state in
                number = state.next
                state.next += 1
            }
            let run = MirrorRun(request, of: mirror, number: number, at: now)
            // The number may be taken if an older document of the mirror's state was restored from a
            // backup.
            if try store.write(run, to: .run(number, of: mirror), if: .absent) {
                return run
            }
        }
    }

    /// The next build to run: the oldest queued one.
    package func next() throws -> MirrorRun? {
        try open().first { $0.state == .queued }
    }

    /// Every build that has not ended, oldest first, however many came after it.
    func open() throws -> [MirrorRun] {
        let settled = try store.mirrorState(mirror).settled ?? 0
        var open: [MirrorRun] = []
        var settles = settled
        for number in try store.runNumbers(of: mirror).reversed() where number > settled {
            guard let run = try store.run(number, of: mirror) else { continue }
            if !run.state.isOver { open.append(run) }
            if open.isEmpty, let ended = run.ended, now.timeIntervalSince(ended) > Self.settling {
                settles = number
            }
        }
        // Rarely, so that most reads write nothing.
        if settles >= settled + 20 {
            try store.changeMirrorState(mirror) { $0.settled = max($0.settled ?? 0, settles) }
        }
        return open
    }

    /// Queues an interrupted build again, unless it was already a second attempt, a user cancelled it, or a
    /// later build of the same reference exists.
    ///
    /// - Returns: the new build; nil if there is none.
    @discardableResult
    package func again(_ run: MirrorRun) throws -> MirrorRun? {
        guard run.state == .interrupted, run.repeats == nil, run.cancelledBy == nil,
            let commit = CommitIdentifier(run.commit)
        else { return nil }
        let isOutrun = try store.runs(of: mirror, count: Self.memory).contains { other in
            run.cause != .manual && other.number > run.number && other.cause == run.cause
                && other.reference == run.reference
        }
        guard !isOutrun else { return nil }
        var request = RunRequest(
            run.cause,
            by: run.actor,
            reference: run.reference,
            commit: commit,
            tag: try run.tag.map(TagName.init),
        )
        request.isRebuild = run.isRebuild
        request.repeats = run.number
        return try append(request)
    }

    /// Cancels a build that is queued or running.
    ///
    /// - Returns: its record; a running build ends within seconds, in whichever process it runs.
    /// - Throws: ``MirrorRefusal`` if the build does not exist, has ended, or is publishing its artifacts.
    @discardableResult
    package func cancel(_ number: Int, by actor: String) throws -> MirrorRun {
        guard try store.run(number, of: mirror) != nil else {
            throw MirrorRefusal.noRun(number)
        }
        return try store.changeRun(number, of: mirror) { run in
            guard !run.state.isOver else { throw MirrorRefusal.runIsOver(number) }
            guard run.isDelivering != true else { throw MirrorRefusal.runIsDelivering(number) }
            run.cancelledBy = actor
            if run.state == .queued {
                run.state = .cancelled
                run.reason = "cancelled by \(actor)"
                run.ended = now
            }
        }
    }

    /// Records the end of a build, unless it has ended.
    @discardableResult
    func end(
        _ run: MirrorRun,
        _ state: MirrorRun.State,
        because reason: String,
        log: SHA256Digest? = nil,
    ) throws -> MirrorRun {
        try store.changeRun(run.number, of: mirror) { run in
            guard !run.state.isOver else { return }
            run.state = state
            run.reason = reason
            run.ended = now
            run.log = log
            run.waitingFor = nil
            for index in run.steps.indices where run.steps[index].state == .running {
                run.steps[index].state = .failed
            }
        }
    }
}
