import Access
import Cryptography
package import Foundation
package import Logging
import NIOCore
import NIOPosix
import Releases
import ServiceLifecycle
package import Store
import Synchronization
package import Uploads

/// All uploads of a server: starts, finds, and publishes them.
///
/// Writing and publishing use separate threads, so that they do not block pages.
package final class UploadService: Service, Sendable {
    private struct State {
        var sessions: [UploadIdentifier: UploadSession] = [:]
        var isStopped = false
    }

    let limits: UploadLimits
    let store: OTAStore
    let clock: @Sendable () -> Date
    let logger: Logger
    private let state = Mutex(State())
    private let publishing = Mutex<UploadPublishing?>(nil)
    private let jobs: AsyncStream<UploadSession>
    private let queue: AsyncStream<UploadSession>.Continuation
    let writers = NIOThreadPool(numberOfThreads: 4)
    /// Archives of dSYMs use separate threads: one pool receives them, the other reads them.
    let symbolWriters = NIOThreadPool(numberOfThreads: 2)
    let symbolReaders = NIOThreadPool(numberOfThreads: 2)
    let symbolPlaces: SymbolPlaces
    private let publishers = NIOThreadPool(numberOfThreads: UploadService.publishesAtOnce)

    /// Publishing one build uses all cores most of the time.
    private static let publishesAtOnce = 2
    /// The interval at which stale uploads are removed.
    private static let patrol = Duration.seconds(600)

    /// - Parameters:
    ///   - store: stores the uploads.
    ///   - limits: the limits for number and size of uploads.
    ///   - clock: returns the current time.
    ///   - logger: receives failures.
    /// - Throws: `StoreFailure` if earlier uploads cannot be read.
    package init(
        _ store: OTAStore,
        limits: UploadLimits,
        clock: @escaping @Sendable () -> Date,
        logger: Logger,
    ) throws {
        self.store = store
        self.limits = limits
        symbolPlaces = SymbolPlaces(limits: limits.symbols)
        self.clock = clock
        self.logger = logger
        (jobs, queue) = AsyncStream.makeStream()
        try recover()
    }

    /// Loads the uploads that an earlier run of the server left.
    private func recover() throws {
        let (records, unreadable) = try store.uploads()
        for file in unreadable {
            logger.warning("an upload's record cannot be read", metadata: ["file": "\(file)"])
        }
        if unreadable.isEmpty { try store.dropStrayUploads() }
        let now = clock()
        for record in records {
            if record.isStale(at: now, limits: limits), forget(record.identifier) { continue }
            let size = try store.backend.uploadSize("\(record.identifier)") ?? 0
            let count = record.believable(size, boot: MachineStart.identifier)
            let session = UploadSession(record, count: count, in: store)
            state.withLock { $0.sessions[record.identifier] = session }
        }
    }

    // MARK: Sessions

    /// The result of an offer.
    enum Beginning {
        /// The server expects bytes.
        case session(UploadSession, isNew: Bool)
        /// The bytes are complete or already in the store; the client only waits for the result.
        case known(UploadSession)
    }

    /// Starts an upload, or finds the one that an earlier run of the publisher started; blocks.
    ///
    /// - Throws: `UploadRefusal`, and `ReleaseRefusal` for problems that are known before the first byte.
    func begin(_ offer: UploadOffer, by principal: Principal) throws -> Beginning {
        try offer.check()
        purge()
        try principal.requirePublish(on: offer.app)
        let now = clock()
        try checkPlace(of: offer)
        let isThere = try isInStore(offer)
        let token = principal.uploader
        let record = UploadRecord(
            identifier: UploadIdentifier(random: randomBytes),
            token: token,
            publisher: principal.name,
            offer: offer,
            created: now.wholeSecond,
            boot: MachineStart.identifier,
        )
        makeRoom(for: token, at: now)
        if !isThere { makeRoom(for: offer, by: principal, at: now) }
        let fresh = UploadSession(record, count: 0, in: store)
        let free = isThere ? nil : try store.backend.freeSpace()
        let (session, isNew) = try state.withLock { state in
            if offer.sha256 != nil {
                let mine = state.sessions.values.filter {
                    $0.token == token && $0.offer == offer
                        && (isLeft($0, at: now) || isThere && $0.record.state == .publishing)
                }
                if let earlier = mine.max(by: { $0.missing > $1.missing }) {
                    return (earlier, false)
                }
            }
            let load = load(of: Array(state.sessions.values), for: principal, at: now)
            if isThere {
                try limits.admit(beside: load)
            } else {
                try limits.admit(offer.size, beside: load, free: free)
            }
            state.sessions[record.identifier] = fresh
            return (fresh, true)
        }
        if isNew {
            do {
                try store.begin(record)
            } catch {
                state.withLock { _ = $0.sessions.removeValue(forKey: record.identifier) }
                throw error
            }
        }
        if !isNew, session.record.state != .receiving { return .known(session) }
        guard isThere, isNew else { return .session(session, isNew: isNew) }
        try complete(session, try session.takeOver(at: now))
        return .known(session)
    }

    /// Returns an upload to the token or person that started it.
    ///
    /// - Parameters:
    ///   - name: the identifier.
    ///   - principal: the client.
    ///   - isForAdmins: whether admins get the uploads of others too.
    /// - Returns: the upload.
    /// - Throws: `UploadRefusal.unknown`, also for an upload of another token.
    func session(
        _ name: String,
        of principal: Principal,
        isForAdmins: Bool = false,
    ) throws(UploadRefusal) -> UploadSession {
        guard let identifier = UploadIdentifier(name),
            let session = state.withLock({ $0.sessions[identifier] }),
            session.token == principal.uploader || isForAdmins && principal.may(.admin)
        else { throw .unknown }
        return session
    }

    /// All uploads.
    var sessions: [UploadSession] { state.withLock { Array($0.sessions.values) } }

    /// Cancels an upload and removes its bytes; blocks.
    ///
    /// - Throws: `StoreFailure` if it could not be removed; then it is still listed.
    func cancel(_ session: UploadSession) throws(StoreFailure) {
        state.withLock { _ = $0.sessions.removeValue(forKey: session.identifier) }
        session.end()
        do {
            try store.forget(session.identifier)
        } catch {
            state.withLock { $0.sessions[session.identifier] = session }
            throw error
        }
    }

    /// Queues a complete upload for publishing, or for the requested check; blocks.
    func complete(_ session: UploadSession, _ lease: WriteLease) throws {
        if try session.complete(lease, at: clock()) { queue.yield(session) }
    }

    /// Queues a checked upload for publishing; blocks.
    ///
    /// Does nothing if it has already been queued or published.
    ///
    /// - Throws: `UploadRefusal.notChecked` before the result of the check is known.
    func publish(_ session: UploadSession) throws {
        if try session.release(at: clock()) { queue.yield(session) }
    }

    /// Runs blocking work on a thread for uploads.
    func writing<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await writers.runIfActive(body)
    }

    // MARK: Running

    /// Starts publishing, once the base URL of links is known.
    package func open(_ publishing: UploadPublishing) {
        writers.start()
        symbolWriters.start()
        symbolReaders.start()
        publishers.start()
        self.publishing.withLock { $0 = publishing }
        for session in sessions where session.record.state == .publishing {
            queue.yield(session)
        }
    }

    package func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.patrol() }
                for _ in 0..<Self.publishesAtOnce {
                    group.addTask { await self.publishAll() }
                }
            }
        } onGracefulShutdown: {
            self.stop()
        }
        // Queued uploads stay in the store until the next start.
        stop()
        try await writers.shutdownGracefully()
        try await symbolWriters.shutdownGracefully()
        try await symbolReaders.shutdownGracefully()
        try await publishers.shutdownGracefully()
    }

    private func stop() {
        queue.finish()
        let sessions = state.withLock { state in
            state.isStopped = true
            return Array(state.sessions.values)
        }
        for session in sessions where session.record.state != .publishing { session.stop() }
    }

    private func publishAll() async {
        for await session in jobs {
            guard !state.withLock({ $0.isStopped }),
                let publishing = publishing.withLock({ $0 })
            else {
                session.stop()
                continue
            }
            do {
                let outcome = await cancelWhenGracefulShutdown {
                    await publishing.trial(of: session)
                }
                try await publishers.runIfActive {
                    switch outcome {
                    case .survived:
                        publishing.publish(session)
                        self.dropEarlierChecks(like: session)
                    case .ended: publishing.setAside(session)
                    case .abandoned: session.stop()
                    }
                }
            } catch {
                session.stop()
            }
        }
    }

    private func patrol() async {
        while !state.withLock({ $0.isStopped }) {
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.patrol) }
            guard !state.withLock({ $0.isStopped }), !Task.isCancelled else { return }
            // Fails only when the server stops.
            try? await writing { self.purge() }
        }
    }
}
