import Foundation
import Identifiers
import Logging
import MirrorBuilds
import Mirrors
import NIOPosix
import ReleaseSigning
import Releases
import Sandboxing
import ServiceLifecycle
import Store
import Synchronization

/// Syncs mirrors when they are due, and runs queued builds, while the server runs.
///
/// Both are in the store, so a sync that a webhook requested and queued builds are found again after a
/// restart. When the server stops, it cancels running builds, which record that.
final class MirrorService: Service {
    private let store: OTAStore
    private let follower: ActivityFollower
    private let surroundings: [String: String]
    /// Paths in addition to the store that builds must not see.
    private let hidden: [String]
    /// Signs builds that their pipeline left unsigned; nil if nothing on this machine can.
    private let signer: (any BuildSigner)?
    private let clock: @Sendable () -> Date
    private let logger: Logger
    private let state = Mutex(State())

    /// How often the store is checked for due work.
    private static let beat = Duration.seconds(1)

    private struct State {
        /// Mirrors that this process is syncing, and those whose builds it is running.
        var syncing: Set<Slug> = []
        var building: Set<Slug> = []
        /// The version of the build records at which no build was queued.
        var settled: [Slug: ChangeStamp] = [:]
        /// Mirrors whose documents cannot be read, which has been logged.
        var unreadable: Set<Slug> = []
        /// Paused mirrors without builds that an earlier process left running.
        var tidied: Set<Slug> = []
    }

    init(
        store: OTAStore,
        follower: ActivityFollower,
        surroundings: [String: String],
        hidden: [String],
        signer: (any BuildSigner)?,
        clock: @escaping @Sendable () -> Date,
        logger: Logger,
    ) {
        self.store = store
        self.follower = follower
        self.surroundings = surroundings
        self.hidden = hidden
        self.signer = signer
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
            /// Syncs the mirror for the actor who requested it.
            case sync(String)
            /// Runs its queued builds; with the current version of the build records.
            case build(ChangeStamp?)
        }

        let mirror: Mirror
        let kind: Kind
    }

    /// The syncs and builds that are due and not running yet.
    ///
    /// A mirror syncs even while it builds, so that builds can be queued in the meantime.
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

    /// Work on one mirror; a mirror whose documents are damaged does not hold up the others.
    private func dueWork(on mirror: Mirror) -> [Work] {
        // Queued builds are found again when the mirror is resumed; ``Mirror/checkInUse()`` would refuse
        // each of them.
        guard !mirror.isPaused else { return leftWork(on: mirror) }
        state.withLock { _ = $0.tidied.remove(mirror.name) }
        do {
            let work = [try dueSync(of: mirror), try dueBuild(of: mirror)].compactMap(\.self)
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

    /// Once for a paused mirror: ends builds that an earlier process left running, and begins none.
    private func leftWork(on mirror: Mirror) -> [Work] {
        let isDue = state.withLock { state in
            guard !state.building.contains(mirror.name),
                state.tidied.insert(mirror.name).inserted
            else { return false }
            state.building.insert(mirror.name)
            return true
        }
        return isDue ? [Work(mirror: mirror, kind: .build(nil))] : []
    }

    private func dueSync(of mirror: Mirror) throws -> Work? {
        guard !state.withLock({ $0.syncing.contains(mirror.name) }),
            let actor = try store.mirrorState(mirror.name)
                .asksForSync(every: mirror.interval, at: clock())
        else { return nil }
        state.withLock { _ = $0.syncing.insert(mirror.name) }
        return Work(mirror: mirror, kind: .sync(actor))
    }

    private func dueBuild(of mirror: Mirror) throws -> Work? {
        guard !state.withLock({ $0.building.contains(mirror.name) }) else { return nil }
        let runs = try DocumentName.runs.appending(mirror.name.rawValue)
        let stamp = try store.backend.knownStamp(of: runs)
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
            case .sync(let actor):
                try await sync(work.mirror, place, for: actor)
            case .build(let stamp):
                // If another process runs the builds, the next beat checks the queue again.
                if try await build(name, in: place) {
                    state.withLock { $0.settled[name] = stamp }
                }
            }
        } catch MirrorRefusal.paused {
            // The mirror was paused after the check above.
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
            case .sync: _ = state.syncing.remove(name)
            case .build: _ = state.building.remove(name)
            }
        }
    }

    private func build(_ name: Slug, in place: MirrorContext) async throws -> Bool {
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

    private func sync(_ mirror: Mirror, _ place: MirrorContext, for actor: String) async throws {
        do {
            let report = try await Synchronisation(of: mirror, in: place, by: actor).run()
            for remark in report.remarks {
                logger.warning("a tag is not built", metadata: ["reason": "\(remark)"])
            }
        } catch MirrorRefusal.busy {
            // A command is syncing the mirror; a requested sync stays due.
        }
    }

    private func place(_ controlGroups: ControlGroups?) async throws -> MirrorContext {
        let (store, surroundings, clock) = (store, surroundings, clock)
        var place = try await NIOThreadPool.singleton.runIfActive {
            try MirrorContext(of: store, surroundings: surroundings, clock: clock)
        }
        place.hidden = hidden
        place.signer = signer
        place.controlGroups = controlGroups
        place.leavesStages = true
        return place
    }
}
