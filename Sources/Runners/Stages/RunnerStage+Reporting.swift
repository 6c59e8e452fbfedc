package import Essentials
package import Identifiers
import Bytes

/// Records the reports of a lease's holder, within bounds because they are untrusted.
extension RunnerStage {
    /// Seconds beyond ``leaseLife`` by which a lease is renewed, so that not every heartbeat causes a
    /// write.
    package static let renewalGrain = 15.0
    /// Seconds between two heartbeats of an agent, if leases last ``leaseLife``.
    package static let beat = 5.0
    /// The number of Unicode scalars that are kept of a reason.
    package static let reasonLimit = 200

    /// Notes that the holder was heard from, which begins the attempt.
    ///
    /// Changes nothing while the lease is valid for long enough.
    package mutating func renew(at date: Date) {
        guard state == .leased, !attempts.isEmpty else { return }
        let last = attempts.count - 1
        let wanted = date.addingTimeInterval(leaseLife)
        let most = wanted.addingTimeInterval(min(Self.renewalGrain, leaseLife / 4))
        // It is later than that only if the clock was set back.
        guard isUnbegun || attempts[last].until < wanted || attempts[last].until > most else {
            return
        }
        attempts[last].isBegun = true
        attempts[last].until = most
    }

    /// Whole seconds between two heartbeats of the agent.
    package var beatSeconds: Int { max(1, Int(min(Self.beat, leaseLife / 4))) }

    /// Records the state of the steps.
    ///
    /// - Throws: ``RunnerRefusal/badReport(_:_:)`` for a step that the stage does not have or that appears
    ///   twice.
    package mutating func note(_ reports: [StepReport]) throws(RunnerRefusal) {
        guard state == .leased, !attempts.isEmpty else { return }
        let known = Set(steps.map(\.index))
        guard reports.count <= known.count, Set(reports.map(\.index)).count == reports.count,
            reports.allSatisfy({ known.contains($0.index) })
        else { throw .badReport("steps", "steps of this build, each once") }
        attempts[attempts.count - 1].isBegun = true
        attempts[attempts.count - 1].steps = reports.map(\.bounded)
    }

    /// Ends the stage with the outcome that its holder reports.
    ///
    /// - Throws: ``RunnerRefusal/badReport(_:_:)``.
    package mutating func finish(
        _ outcome: Outcome,
        _ reports: [StepReport],
    ) throws(RunnerRefusal) {
        guard state == .leased else { return }
        try note(reports)
        self.outcome = outcome.bounded
        state = .finished
    }

    /// Whether the holder repeats a report whose answer was lost.
    package func isFinished(by runner: Slug, as attempt: Int, with outcome: Outcome) -> Bool {
        state == .finished && attempt == latestAttempt && attempts.last?.runner == runner
            && self.outcome == outcome.bounded
    }

    /// Whether a runner's attempt was the last one before the build withdrew the stage.
    package func isWithdrawn(from runner: Slug, as attempt: Int) -> Bool {
        state == .withdrawn && attempt == latestAttempt && attempts.last?.runner == runner
    }

    /// An untrusted reason as the end of a sentence; nil if it is empty.
    package static func plain(_ reason: String?) -> String? {
        reason.flatMap {
            $0.isEmpty ? nil : PrintableText(escaping: $0, limit: reasonLimit).text
        }
    }
}

extension RunnerStage.StepReport {
    /// The report with its numbers and texts within the bounds of a build's record.
    fileprivate var bounded: RunnerStage.StepReport {
        var report = self
        report.exitCode = exitCode.map { min(max($0, -255), 255) }
        report.seconds = seconds.map { min(max($0, 0), 1_000_000_000) }
        report.reason = RunnerStage.plain(reason)
        return report
    }
}

extension RunnerStage.Outcome {
    fileprivate var bounded: RunnerStage.Outcome {
        var outcome = self
        outcome.reason = RunnerStage.plain(reason)
        return outcome
    }
}
