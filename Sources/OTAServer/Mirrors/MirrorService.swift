import Foundation
import Identifiers
import Logging
import MirrorBuilds
import Mirrors
import NIOPosix
import Releases
import Sandboxing
import ServiceLifecycle
import Store
import Synchronization

/// Looks at mirrors when they are due, and builds what waits, for as long as the server runs.
///
/// What is to be done is in the store: a look that a webhook asked for, and builds that wait, are
/// found again after a restart. When the server stops, builds that run are told to end and say so.
final class MirrorService: Service {
    private let store: OTAStore
    private let follower: ActivityFollower
    private let surroundings: [String: String]
    /// What no build may see, beside the store.
    private let hidden: [String]
    private let clock: @Sendable () -> Date
    private let logger: Logger
    private let state = Mutex(State())

    /// How often the store is asked what is due.
    private static let beat = Duration.seconds(1)

    private struct State {
        /// Mirrors that this process looks at, and those that it builds for.
        var looking: Set<Slug> = []
        var building: Set<Slug> = []
        /// The builds that were there when nothing waited.
        var settled: [Slug: ChangeStamp] = [:]
        /// Mirrors whose documents cannot be read, which was said.
        var unreadable: Set<Slug> = []
    }

    init(
        store: OTAStore,
        follower: ActivityFollower,
        surroundings: [String: String],
        hidden: [String],
        clock: @escaping @Sendable () -> Date,
        logger: Logger,
    ) {
        self.store = store
        self.follower = follower
        self.surroundings = surroundings
        self.hidden = hidden
        self.clock = clock
        self.logger = logger
    }

    func run() async throws {
        let controlGroups = await blocking { ControlGroups.prepare() }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { tasks in
                for await _ in self.follower.beats(every: Self.beat) {
                    for work in await self.due() {
                        tasks.addTask { await self.work(on: work, controlGroups) }
                    }
                }
            }
        }
    }

    private struct Work: Sendable {
        enum Kind: Sendable {
            /// Whoever asked for it.
            case look(String)
            /// The builds as they are now.
            case build(ChangeStamp?)
        }

        let mirror: Mirror
        let kind: Kind
    }

    /// What is to be done now and nobody does yet; a repository is looked at while it is built, so that
    /// what waits can be seen.
    private func due() async -> [Work] {
        do {
            return try await NIOThreadPool.singleton.runIfActive { [self] in
                try store.mirrors().mirrors.flatMap(dueWork(on:))
            }
        } catch {
            logger.error("the mirrors cannot be read", metadata: ["reason": "\(error)"])
            return []
        }
    }

    /// A mirror whose documents are damaged does not hold up the others.
    private func dueWork(on mirror: Mirror) -> [Work] {
        // What waits is found again when it is resumed; ``Mirror/checkInUse()`` would refuse each of them.
        guard !mirror.isPaused else { return [] }
        do {
            let work = [try look(at: mirror), try build(for: mirror)].compactMap(\.self)
            state.withLock { _ = $0.unreadable.remove(mirror.name) }
            return work
        } catch {
            if state.withLock({ $0.unreadable.insert(mirror.name).inserted }) {
                logger.error(
                    "a mirror cannot be read",
                    metadata: ["mirror": "\(mirror.name)", "reason": "\(error)"],
                )
            }
            return []
        }
    }

    private func look(at mirror: Mirror) throws -> Work? {
        guard !state.withLock({ $0.looking.contains(mirror.name) }),
            let actor = try store.mirrorState(mirror.name)
                .asksForSync(every: mirror.interval, at: clock())
        else { return nil }
        state.withLock { _ = $0.looking.insert(mirror.name) }
        return Work(mirror: mirror, kind: .look(actor))
    }

    private func build(for mirror: Mirror) throws -> Work? {
        guard !state.withLock({ $0.building.contains(mirror.name) }) else { return nil }
        let stamp = try store.backend.stamp(of: DocumentName.runs.appending(mirror.name.rawValue))
        let isSettled = state.withLock { state in
            stamp == nil || stamp?.isSettled == true && state.settled[mirror.name] == stamp
        }
        guard !isSettled else { return nil }
        state.withLock { _ = $0.building.insert(mirror.name) }
        return Work(mirror: mirror, kind: .build(stamp))
    }

    private func work(on work: Work, _ controlGroups: ControlGroups?) async {
        let name = work.mirror.name
        do {
            let place = try await place(controlGroups)
            switch work.kind {
            case .look(let actor):
                try await look(at: work.mirror, place, for: actor)
            case .build(let stamp):
                // Another process may have the builds; whether some wait is looked at again then.
                if try await build(name, in: place) {
                    state.withLock { $0.settled[name] = stamp }
                }
            }
        } catch MirrorRefusal.paused {
            // Between the question and the work.
        } catch {
            if !(error is CancellationError) {
                logger.error(
                    "a mirror could not be synced or built",
                    metadata: ["mirror": "\(name)", "reason": "\(error)"],
                )
            }
        }
        state.withLock { state in
            switch work.kind {
            case .look: _ = state.looking.remove(name)
            case .build: _ = state.building.remove(name)
            }
        }
    }

    private func build(_ name: Slug, in place: BuildPlace) async throws -> Bool {
        let logger = logger
        return try await MirrorWorker(for: name, in: place).work { run in
            logger.info(
                "a build has ended",
                metadata: [
                    "mirror": "\(run.mirror)", "build": "\(run.number)",
                    "of": "\(run.subject)", "state": "\(run.state)",
                ],
            )
        }
    }

    private func look(at mirror: Mirror, _ place: BuildPlace, for actor: String) async throws {
        do {
            let report = try await Synchronisation(of: mirror, in: place, by: actor).run()
            for remark in report.remarks {
                logger.warning("a tag is not built", metadata: ["reason": "\(remark)"])
            }
        } catch MirrorRefusal.busy {
            // A command looks at it meanwhile; what is due stays due.
        }
    }

    private func place(_ controlGroups: ControlGroups?) async throws -> BuildPlace {
        let (store, surroundings, clock) = (store, surroundings, clock)
        var place = try await NIOThreadPool.singleton.runIfActive {
            try BuildPlace(of: store, surroundings: surroundings, clock: clock)
        }
        place.hidden = hidden
        place.controlGroups = controlGroups
        return place
    }
}
