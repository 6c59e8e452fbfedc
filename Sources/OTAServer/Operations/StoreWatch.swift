import ACME
import Cryptography
import Foundation
import Logging
import MirrorBuilds
import NIOPosix
import Notices
import Publishing
import Runners
import ServiceLifecycle
import SiteServices
import Store
import Synchronization

/// Reads what the store holds for as long as the server runs, so that damage is known before a phone
/// meets it: registers, apps and changed files of blobs every minute, everything at the start and
/// then once a day.
///
/// It has a thread of its own, which reads no faster than ``ScrubLimits/bytesPerSecond``, so that
/// downloads and uploads do not wait for it.
final class StoreWatch: Service {
    private let store: OTAStore
    private let health: StoreHealth
    private let limits: ScrubLimits
    private let duties: Duties
    private let logger: Logger
    private let pool = NIOThreadPool(numberOfThreads: 1)
    private let isStopping = Mutex(false)

    init(
        store: OTAStore,
        health: StoreHealth,
        limits: ScrubLimits,
        duties: Duties,
        logger: Logger,
    ) {
        self.store = store
        self.health = health
        self.limits = limits
        self.duties = duties
        self.logger = logger
    }

    func run() async throws {
        pool.start()
        await withTaskGroup { group in
            group.addTask {
                await cancelWhenGracefulShutdown {
                    await withTaskCancellationHandler {
                        await self.watch()
                    } onCancel: {
                        self.isStopping.withLock { $0 = true }
                    }
                }
            }
            await group.waitForAll()
        }
        try await pool.shutdownGracefully()
    }

    private func watch() async {
        var verified: ContinuousClock.Instant?
        var scrubbed: ContinuousClock.Instant?
        while !Task.isCancelled {
            let isDue = isDue(since: verified)
            await onOwnThread { try self.lookAtDocuments(thoroughly: isDue) }
            // One of several servers reads every blob. A store elsewhere keeps its own watch over changed
            // files, and to ask it about each of them every minute would cost more than it shows.
            let scrubs = duties.lease != nil && self.isDue(since: scrubbed)
            let rereads = duties.lease != nil && !duties.isShared
            if isDue { verified = .now }
            await onOwnThread {
                guard scrubs || rereads else { return }
                try self.scrub(scrubs ? self.store.blobsToProve() : self.store.changedBlobs())
            }
            if scrubs { scrubbed = .now }
            let isComplete = scrubbed != nil
            await onOwnThread {
                try self.lookAtBlobs(afterAll: isComplete && !self.isStopping.withLock { $0 })
            }
            try? await Task.sleep(for: limits.interval * (duties.isShared ? 5 : 1))
        }
    }

    private func isDue(since last: ContinuousClock.Instant?) -> Bool {
        last.map { ContinuousClock.now - $0 >= limits.period } ?? true
    }

    private func onOwnThread(_ work: @escaping @Sendable () throws -> Void) async {
        do {
            try await pool.runIfActive(work)
        } catch is CancellationError {
            return
        } catch {
            logger.error("the store could not be checked", metadata: ["reason": "\(error)"])
        }
    }

    /// Looks at everything where anything is wrong, so that it is known when it is not any more.
    private func lookAtDocuments(thoroughly isThorough: Bool) throws {
        var problems = try store.damageOfRegisters()
        if isThorough || !problems.isEmpty || !health.isSound {
            problems = try store.verify(
                readingBlobs: false,
                beside: store.noticeProblems() + store.retentionProblems()
                    + store.feedbackProblems() + store.mirrorProblems()
                    + store.certificateProblems()
                    + store.runnerProblems(),
            ).problems
        }
        for problem in health.note(documents: problems) { say(problem) }
    }

    /// What is known of blobs; it no longer holds for those that were put again.
    private func lookAtBlobs(afterAll isComplete: Bool) throws {
        let problems = try store.rottenBlobs().map { blob in
            StoreProblem(.damagedBlob(blob, path: "blobs/sha256/\(blob)"))
        }
        for problem in health.note(blobs: problems, isComplete: isComplete) { say(problem) }
    }

    private func scrub(_ blobs: [SHA256Digest]) throws {
        for blob in blobs {
            guard !isStopping.withLock({ $0 }) else { return }
            let found = try store.prove(blob) { count in
                Thread.sleep(forTimeInterval: Double(count) / Double(limits.bytesPerSecond))
                return !isStopping.withLock { $0 }
            }
            if found != nil { health.countBlob() }
            if found == false { try lookAtBlobs(afterAll: false) }
        }
    }

    private func say(_ problem: StoreProblem) {
        logger.error(
            "the store is damaged",
            metadata: [
                "id": "\(problem.id)", "place": "\(problem.place)",
                "reason": "\(problem.message)", "fix": "\(problem.fix)",
            ],
        )
    }
}

/// How much the check of the store may take.
package struct ScrubLimits: Sendable {
    /// Between two checks of the documents.
    package var interval: Duration = .seconds(60)
    /// Between two readings of all blobs.
    package var period: Duration = .seconds(86_400)
    /// Of blobs that are read to prove them.
    package var bytesPerSecond = 64 << 20
    /// Bytes of a blob that is proven before it is given out for the first time; a larger one is given
    /// out while it is still to be proven.
    package var provenAtOnce = 16 << 20

    package init() {}
}
