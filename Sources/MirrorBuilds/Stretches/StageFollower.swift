import Bytes
import Essentials
import Identifiers
import Mirrors
import Runners
import Sandboxing
import Store

/// Copies the reports of runners on a stage into the log and the record of its build.
///
/// The log depends only on the stage and its files: a process that continues the build writes the same log
/// again from the stage's beginning, so that readers of the log miss nothing.
struct StageFollower: Sendable {
    private let run: MirrorRun
    private let log: BuildLog
    private let record: BuildRecord
    private let folders: MirrorFolders
    /// How many attempts the log mentions, and whether it mentions the end of the last one.
    private var begun = 0
    private var isEnded = true
    /// The number of bytes of the current attempt's log that have been copied to the build's.
    private var offset = 0
    private var reports: [RunnerStage.StepReport] = []
    private var waiting: Bool?

    private static let piece = 1 << 20

    /// - Parameters:
    ///   - run: the build.
    ///   - log: its log, up to the stage.
    ///   - place: has the store with the build's record, and the folders of the stage's files.
    init(of run: MirrorRun, into log: BuildLog, in place: MirrorContext) {
        self.run = run
        self.log = log
        record = BuildRecord(of: run, in: place.store)
        folders = place.folders
    }

    /// Copies new reports.
    mutating func take(_ stage: RunnerStage) async throws {
        for (index, attempt) in stage.begun.enumerated() where index + 1 >= max(begun, 1) {
            if index + 1 > begun { try await begin(attempt, index + 1, of: stage) }
            try await copy(attempt.steps, by: attempt.runner, of: stage)
            try await drain(stage.number(ofAttempt: index))
            if let reason = attempt.lost, !isEnded {
                try await end(reason, of: stage)
            }
        }
        try await note(isWaiting: stage.state == .offered || stage.isUnbegun, for: stage)
    }

    /// Withdraws the stage from its runner, and then copies to the log everything that the server has
    /// acknowledged to the runner.
    ///
    /// - Returns: the stage; nil if it cannot be read.
    @discardableResult
    mutating func takeRest() async -> RunnerStage? {
        let (store, run) = (record.store, run)
        let stage = await blocking {
            try? store.withdrawStage(of: run)
            return try? store.stage(of: run.number, run.mirror, isCurrent: true)
        }
        // The build ends for the reason that it already has, even if this fails.
        if let stage { try? await take(stage) }
        return stage
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
        log.say("runner \(attempt.runner) runs the steps")
        let indices = stage.steps.map(\.index)
        try await record.change { run in
            run.runner = attempt.runner
            for index in indices where run.steps.indices.contains(index) {
                let labels = run.steps[index].runsOn
                run.steps[index] = MirrorRun.Step(name: run.steps[index].name)
                run.steps[index].runsOn = labels
                run.steps[index].runner = attempt.runner
            }
        }
    }

    private mutating func end(_ reason: String, of stage: RunnerStage) async throws {
        isEnded = true
        guard stage.state != .lost else { return }
        let reason = log.masked(reason)
        log.say("\(reason); waiting for a runner again")
        let (words, indices) = ("the steps began again: \(reason)", stage.steps.map(\.index))
        try await record.change { run in
            if !run.warnings.contains(words) { run.warnings.append(words) }
            for index in indices
            where run.steps.indices.contains(index) && run.steps[index].state == .running {
                run.steps[index].state = .waiting
                run.steps[index].runner = nil
            }
        }
    }

    /// Copies what the runner has printed since, up to the current end of the file.
    private mutating func drain(_ attempt: Int) async throws {
        let path = folders.stageLog(run.number, attempt: attempt, of: run.mirror)
        while true {
            let start = offset
            let bytes = await blocking { Self.bytes(of: path, from: start) }
            guard !bytes.isEmpty else { return }
            log.append(bytes[...])
            offset += bytes.count
        }
    }

    private static func bytes(of path: String, from offset: Int) -> [UInt8] {
        guard let source = try? FileSource(path: path), source.count > offset else { return [] }
        return (try? source.bytes(at: offset, count: min(piece, source.count - offset))) ?? []
    }

    /// Copies the reports on the stage's steps; reports on other steps are ignored.
    private mutating func copy(
        _ new: [RunnerStage.StepReport],
        by runner: Slug,
        of stage: RunnerStage,
    ) async throws {
        guard new != reports else { return }
        reports = new
        let indices = Set(stage.steps.map(\.index))
        let log = log
        try await record.change { run in
            for report in new
            where indices.contains(report.index) && run.steps.indices.contains(report.index) {
                run.steps[report.index].take(report, masking: log.masked)
            }
        }
    }

    private mutating func note(isWaiting: Bool, for stage: RunnerStage) async throws {
        guard waiting != isWaiting else { return }
        waiting = isWaiting
        let labels = isWaiting ? stage.labels : nil
        try await record.change { $0.waitingFor = labels }
    }
}

extension MirrorRun.Step {
    /// Records the outcome that a runner reports.
    ///
    /// - Parameters:
    ///   - report: the runner's report.
    ///   - masked: masks the secrets of the build.
    mutating func take(_ report: RunnerStage.StepReport, masking masked: (String) -> String) {
        switch report.state {
        case .running: state = .running
        case .failed: state = .failed
        case .succeeded: state = .succeeded
        }
        exitCode = report.exitCode
        seconds = report.seconds
        reason = report.reason.map { PrintableText(escaping: masked($0), limit: 200).text }
    }
}
