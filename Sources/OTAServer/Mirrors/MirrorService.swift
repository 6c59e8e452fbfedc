import Cryptography
import Foundation
import GitMirror
import Logging
import NIOPosix
import Releases
import ServiceLifecycle
import Store
import Synchronization

/// Looks at mirrors when they are due, and builds what waits, for as long as the server runs.
///
/// What is to be done is in the store: a look that a webhook asked for, and builds that wait, are
/// found again after a restart. When the server stops, builds that run are told to end and say so.
final class MirrorService: Service {
    private let store: OTAStore
    private let root: String
    private let surroundings: [String: String]
    private let clock: @Sendable () -> Date
    private let logger: Logger
    private let state = Mutex(State())

    /// How often the store is asked what is due.
    private static let beat = Duration.seconds(1)
    /// Seconds before a repository that could not be fetched is tried again.
    private static let pause = 60

    private struct State {
        /// Mirrors that somebody of this process works on.
        var busy: Set<Slug> = []
        /// The builds that were there when nothing waited.
        var settled: [Slug: ChangeStamp] = [:]
    }

    init(
        store: OTAStore,
        root: String,
        surroundings: [String: String],
        clock: @escaping @Sendable () -> Date,
        logger: Logger,
    ) {
        self.store = store
        self.root = root
        self.surroundings = surroundings
        self.clock = clock
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { tasks in
                while !Task.isCancelled {
                    for work in await self.due() {
                        tasks.addTask { await self.work(on: work) }
                    }
                    try? await Task.sleep(for: Self.beat)
                }
            }
        }
    }

    private struct Work: Sendable {
        let mirror: Mirror
        /// Who asked for a look; nil when only builds wait.
        let looksFor: String?
        let stamp: ChangeStamp?
    }

    /// What is to be done now, on mirrors that nobody works on.
    private func due() async -> [Work] {
        do {
            return try await NIOThreadPool.singleton.runIfActive { [self] in
                try store.mirrors().mirrors.compactMap { mirror in
                    guard !mirror.isPaused, !state.withLock({ $0.busy.contains(mirror.name) })
                    else {
                        return nil
                    }
                    let stamp = try store.backend.stamp(
                        of: DocumentName.runs.appending(mirror.name.rawValue)
                    )
                    let looksFor = looksFor(mirror, try store.following(mirror.name))
                    let isSettled = state.withLock { state in
                        stamp == nil
                            || stamp?.isSettled == true && state.settled[mirror.name] == stamp
                    }
                    guard looksFor != nil || !isSettled else { return nil }
                    state.withLock { _ = $0.busy.insert(mirror.name) }
                    return Work(mirror: mirror, looksFor: looksFor, stamp: stamp)
                }
            }
        } catch {
            logger.error("mirrors cannot be read", metadata: ["reason": "\(error)"])
            return []
        }
    }

    private func looksFor(_ mirror: Mirror, _ following: Following) -> String? {
        let age = following.looked.map { Int(clock().timeIntervalSince($0)) } ?? .max
        guard following.problem == nil || age >= Self.pause else { return nil }
        if following.isDue { return "webhook" }
        guard let interval = mirror.interval, age >= interval else { return nil }
        return "schedule"
    }

    private func work(on work: Work) async {
        let name = work.mirror.name
        do {
            let place = try await place()
            if let actor = work.looksFor {
                let report = try await Synchronisation(of: work.mirror, in: place, by: actor).run()
                for remark in report.remarks {
                    logger.warning("a tag is not built", metadata: ["reason": "\(remark)"])
                }
            }
            let logger = logger
            let isOurs = try await MirrorWorker(for: name, in: place).work { run in
                logger.info(
                    "a build has ended",
                    metadata: [
                        "mirror": "\(run.mirror)", "build": "\(run.number)",
                        "of": "\(run.subject)", "state": "\(run.state)",
                    ],
                )
            }
            // Another process has the builds; whether some wait is looked at again.
            if isOurs, work.looksFor == nil { state.withLock { $0.settled[name] = work.stamp } }
        } catch {
            if !(error is CancellationError) {
                logger.error(
                    "a mirror could not be worked on",
                    metadata: ["mirror": "\(name)", "reason": "\(error)"],
                )
            }
        }
        state.withLock { _ = $0.busy.remove(name) }
    }

    private func place() async throws -> BuildPlace {
        let store = store
        let anchors = try await NIOThreadPool.singleton.runIfActive {
            try store.settings().anchors.flatMap { try Certificate.chain(pem: $0) }
        }
        return BuildPlace(
            store: store,
            folders: MirrorFolders(store: root),
            anchors: TrustAnchors.apple.adding(anchors),
            surroundings: surroundings,
            clock: clock,
        )
    }
}
