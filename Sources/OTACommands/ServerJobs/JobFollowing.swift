import APIDocuments
import Administration
import Cryptography
import Foundation
import Jobs
import OTAClient
import Problems
import Releases
import Store
import TeamUpkeep

/// Follows a job to its end: on a server by asking for its state, on a store by running it if no server
/// does.
struct JobFollowing: Sendable {
    let target: CommandTarget
    let terminal: Terminal
    /// Whether only the result is printed.
    let isQuiet: Bool
    /// Seconds that a job may wait for its next attempt while it is followed; nil for no limit.
    var patience: TimeInterval?

    /// The interval at which the state of a job in another process is read.
    private static let beat = Duration.milliseconds(500)

    /// - Parameter job: the job as it was queued.
    /// - Returns: the job once it is over, or waits for longer than ``patience``.
    /// - Throws: errors of reading it; a failed job is not an error.
    func end(of job: JobEntry) async throws -> JobEntry {
        if case .store(let local) = target { try await run(job, in: local) }
        let bar = ProgressBar(on: terminal, isQuiet: isQuiet)
        defer { bar.finish() }
        var shown = ""
        while true {
            let found = try await target.perform(ShowJob(job.id)).job
            if found.state.isOver { return found }
            if let parts = found.progress {
                bar.update("Signing", fraction: parts.fraction)
                try await Task.sleep(for: Self.beat)
                continue
            }
            if let patience, let next = found.next,
                next.timeIntervalSince(found.changed) > patience
            {
                return found
            }
            let words =
                found.stateWords + (found.reason.map { ": \($0)" } ?? "")
                + (found.fix.map { "; \($0)" } ?? "")
            if words != shown, !isQuiet { terminal.remark(words.printable) }
            shown = words
            if case .store(let local) = target, found.state == .waiting {
                try await run(job, in: local)
            }
            try await Task.sleep(for: Self.beat)
        }
    }

    /// Runs the job in this process, unless a server has the store.
    private func run(_ job: JobEntry, in local: LocalAdministration) async throws {
        guard let identifier = JobIdentifier(job.id) else { return }
        let store = local.admin.store
        let bar = ProgressBar(on: terminal, isQuiet: isQuiet)
        defer { bar.finish() }
        let further = local.furtherAnchors
        let signer = store.signer(openingWith: local.keyFile, trusting: further) { done, total in
            bar.update("Signing", fraction: total > 0 ? Double(done) / Double(total) : 0)
        }
        let worker = SigningWorker(store, by: signer, clock: local.admin.clock) {
            try local.trustedAnchors()
        }
        var workers: [Job.Kind: any JobWorker] = [.sign: worker]
        if let accounts = local.accounts {
            let upkeep = AccountWork(
                store,
                through: accounts,
                trusting: { try local.trustedAnchors() },
                clock: local.admin.clock,
                random: randomBytes,
            )
            workers.merge(upkeep.workers) { own, _ in own }
        }
        let runner = JobRunner(store, workers: workers, clock: local.admin.clock)
        // A job in a developer account waits for others, such as signing jobs, so all are run.
        try await runner.work(only: job.kind == .sign ? identifier : nil)
    }
}

extension CommandTarget {
    /// The same target with additional trusted authorities; a server has its own.
    func trusting(_ anchors: [Certificate]) -> CommandTarget {
        guard case .store(var local) = self else { return self }
        local.furtherAnchors = anchors
        return .store(local)
    }
}

extension JobEntry {
    /// The job's problem, or what an admin has to do before the job continues.
    var problemOrWait: Problem? {
        guard state == .waiting, let reason, let fix else { return problem }
        return Problem(
            id: "job.waiting",
            kind: .failed,
            message: "the job to \(title) is waiting: \(reason)",
            place: id,
            fix: fix,
        )
    }

    /// Why a job did not succeed, as a problem; nil if it did or is not over.
    var problem: Problem? {
        guard state == .failed || state == .cancelled else { return nil }
        return Problem(
            id: state == .failed ? "job.failed" : "job.cancelled",
            kind: .failed,
            message: reason ?? "the job to \(title) \(state.rawValue)",
            place: id,
            fix: fix ?? "try again with `ota jobs retry \(id)`",
        )
    }
}
