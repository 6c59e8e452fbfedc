import Bytes
import Essentials
import Identifiers
import Mirrors
import Runners
import Sandboxing

/// Copies the reports of runners on a stage into the log and the record of its build.
///
/// The log depends only on the stage and its files: a process that continues the build writes the
/// same log again from the stage's beginning, so that readers of the log miss nothing.
struct StageFollower: Sendable {
    private let plan: BuildPlan
    /// How many attempts the log mentions, and whether it mentions the end of the last one.
    private var begun = 0
    private var isEnded = true
    /// Bytes of the current attempt's own log that are in the build's.
    private var offset = 0
    private var reports: [RunnerStage.StepReport] = []
    private var waiting: Bool?

    private static let piece = 1 << 20

    init(of plan: BuildPlan) {
        self.plan = plan
    }

    /// Copies new reports.
    mutating func take(_ stage: RunnerStage) async throws {
        for (index, attempt) in stage.begun.enumerated() where index + 1 >= max(begun, 1) {
            if index + 1 > begun { try await begin(attempt, index + 1, of: stage) }
            try await copy(attempt.steps, by: attempt.runner, of: stage)
            try await drain(stage.number(ofAttempt: index))
            if let reason = attempt.lost, !isEnded {
                try await end(reason, isLast: stage.state == .lost)
            }
        }
        try await note(isWaiting: stage.state == .offered || stage.isUnbegun, for: stage)
    }

    private mutating func begin(
        _ attempt: RunnerStage.Attempt,
        _ number: Int,
        of stage: RunnerStage,
    ) async throws {
        begun = number
        isEnded = false
        offset = 0
        reports = []
        plan.log.say("runner \(attempt.runner) runs the steps")
        let indices = stage.steps.map(\.index)
        try await plan.record.change { run in
            run.runner = attempt.runner
            for index in indices where run.steps.indices.contains(index) {
                let labels = run.steps[index].runsOn
                run.steps[index] = MirrorRun.Step(name: run.steps[index].name)
                run.steps[index].runsOn = labels
                run.steps[index].runner = attempt.runner
            }
        }
    }

    private mutating func end(_ reason: String, isLast: Bool) async throws {
        isEnded = true
        guard !isLast else { return }
        let words = "\(reason); waiting for a runner again"
        plan.log.say(words)
        try await plan.record.change { run in
            if !run.warnings.contains(words) { run.warnings.append(words) }
        }
    }

    /// Copies what the runner has printed since, up to the end of the file as it is now.
    private mutating func drain(_ attempt: Int) async throws {
        let path = plan.place.folders.stageLog(
            plan.run.number,
            attempt: attempt,
            of: plan.mirror.name,
        )
        while true {
            let start = offset
            let bytes = await blocking { Self.bytes(of: path, from: start) }
            guard !bytes.isEmpty else { return }
            plan.log.append(bytes[...])
            offset += bytes.count
        }
    }

    private static func bytes(of path: String, from offset: Int) -> [UInt8] {
        guard let source = try? FileSource(path: path), source.count > offset else { return [] }
        return (try? source.bytes(at: offset, count: min(piece, source.count - offset))) ?? []
    }

    /// Ignores reports on steps that are not the stage's.
    private mutating func copy(
        _ new: [RunnerStage.StepReport],
        by runner: Slug,
        of stage: RunnerStage,
    ) async throws {
        guard new != reports else { return }
        reports = new
        let indices = Set(stage.steps.map(\.index))
        try await plan.record.change { run in
            for report in new
            where indices.contains(report.index) && run.steps.indices.contains(report.index) {
                run.steps[report.index].take(report)
            }
        }
    }

    private mutating func note(isWaiting: Bool, for stage: RunnerStage) async throws {
        guard waiting != isWaiting else { return }
        waiting = isWaiting
        let labels = isWaiting ? stage.labels : nil
        try await plan.record.change { $0.waitingFor = labels }
    }
}

extension MirrorRun.Step {
    /// Records the outcome that a runner reports.
    mutating func take(_ report: RunnerStage.StepReport) {
        switch report.state {
        case .running: state = .running
        case .failed: state = .failed
        case .succeeded: state = .succeeded
        }
        exitCode = report.exitCode
        seconds = report.seconds
        reason = report.reason.map { PrintableText(escaping: $0, limit: 200).text }
    }
}
