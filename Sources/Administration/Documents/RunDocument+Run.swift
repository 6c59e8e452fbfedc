package import APIDocuments
import Cryptography
import Identifiers
package import MirrorBuilds
import Mirrors
import Runners

extension RunDocument {
    /// A build as the store has it.
    package init(_ run: MirrorRun) {
        self.init(
            run.mirror.rawValue,
            run.number,
            State(run.state),
            Cause(run.cause),
            by: run.actor,
            subject: run.subject,
            commit: run.commit,
            queued: run.queued,
        )
        reason = run.reason
        tag = run.tag
        reference = run.reference
        version = run.version
        marketingVersion = run.marketingVersion
        channel = run.channel
        buildNumber = run.buildNumber
        seconds = run.seconds
        repeats = run.repeats
        began = run.began
        ended = run.ended
        waitingFor = run.waitingFor?.map(\.rawValue)
        runner = run.runner?.rawValue
        warnings = run.warnings
        issues = run.issues
        steps = run.steps.map(Step.init)
        artifacts = run.artifacts.map(Artifact.init)
    }
}

extension Administrator {
    /// A build's current document; if it is waiting for a runner, with the reason.
    ///
    /// - Throws: `StoreFailure`.
    package func document(of run: MirrorRun) throws -> RunDocument {
        var document = RunDocument(run)
        document.waitingReason = try waitingReason(of: run)
        return document
    }

    /// Why no runner takes a build that is waiting for one; nil for any other build.
    ///
    /// - Throws: `StoreFailure`.
    package func waitingReason(of run: MirrorRun) throws -> String? {
        guard run.waitingFor != nil, !run.state.isOver else { return nil }
        return try store.waitingReason(of: run.number, run.mirror, at: clock())
    }
}

extension RunDocument.State {
    init(_ state: MirrorRun.State) {
        self =
            switch state {
            case .queued: .queued
            case .running: .running
            case .skipped: .skipped
            case .failed: .failed
            case .succeeded: .succeeded
            case .cancelled: .cancelled
            case .interrupted: .interrupted
            }
    }
}

extension RunDocument.Cause {
    init(_ cause: BuildCause) {
        self =
            switch cause {
            case .tag: .tag
            case .branch: .branch
            case .manual: .manual
            }
    }
}

extension RunDocument.Step {
    init(_ step: MirrorRun.Step) {
        self.init(step.name, State(step.state))
        exitCode = step.exitCode
        seconds = step.seconds
        reason = step.reason
        runsOn = step.runsOn?.map(\.rawValue)
        runner = step.runner?.rawValue
    }
}

extension RunDocument.Step.State {
    init(_ state: MirrorRun.Step.State) {
        self =
            switch state {
            case .waiting: .waiting
            case .running: .running
            case .skipped: .skipped
            case .failed: .failed
            case .succeeded: .succeeded
            }
    }
}

extension RunDocument.Artifact {
    init(_ artifact: MirrorRun.Artifact) {
        self.init(artifact.path, Outcome(artifact.outcome))
        bytes = artifact.bytes
        sha256 = artifact.blob?.description
        app = artifact.app
        release = artifact.release
        channel = artifact.channel
        detail = artifact.detail
    }
}

extension RunDocument.Artifact.Outcome {
    init(_ outcome: MirrorRun.Artifact.Outcome) {
        self =
            switch outcome {
            case .published: .published
            case .kept: .kept
            case .notInstallable: .notInstallable
            case .refused: .refused
            case .missing: .missing
            }
    }
}
