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

/// Reads the store while the server runs, so that damage is known before a device encounters it: registers,
/// apps and changed blob files every minute, everything at the start and then once a day.
///
/// If other servers may share the store, it reads registers and apps every five minutes, and no changed
/// files.
///
/// It has a thread of its own, which reads no faster than ``ScrubLimits/bytesPerSecond``, so that downloads
/// and uploads do not wait for it.
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
            // Only one of several servers reads every blob. A store elsewhere checks its files for changes
            // itself, and asking it about each of them every minute would cost more than it is worth.
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

    /// Checks everything if there is any problem, so that its fix is noticed.
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

    /// Records the damaged blobs that are known; blobs that were stored again are no longer among them.
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

/// The limits of the store's check.
package struct ScrubLimits: Sendable {
    /// The interval between two checks of the documents.
    package var interval: Duration = .seconds(60)
    /// The interval between two readings of all blobs.
    package var period: Duration = .seconds(86_400)
    /// The rate at which blobs are read to verify them.
    package var bytesPerSecond = 64 << 20
    /// Bytes of a blob up to which it is verified before it is served for the first time; a larger one is
    /// served while its verification is pending.
    package var provenAtOnce = 16 << 20

    package init() {}
}
