import Cryptography
package import Essentials
import Identifiers
package import MirrorBuilds
package import Mirrors
import Releases

/// A build as scripts see it.
package struct RunDocument: Codable, Sendable, Equatable {
    package struct Step: Codable, Sendable, Equatable {
        package let name: String
        package let state: MirrorRun.Step.State
        package let exitCode, seconds: Int?
        package let reason: String?
        /// The labels that its runner must have; nil for a step of the server's own.
        package let runsOn: [String]?
        /// Which runner ran it.
        package let runner: String?
    }

    package struct Artifact: Codable, Sendable, Equatable {
        package let path: String
        package let outcome: MirrorRun.Artifact.Outcome
        package let bytes: Int?
        package let sha256, app, release, channel, detail: String?
    }

    package var schema = 1
    package let mirror: String
    package let number: Int
    package let actor, subject, commit: String
    package let state: MirrorRun.State
    package let cause: BuildCause
    package let reason, tag, reference, version, marketingVersion, channel: String?
    package let buildNumber, seconds, repeats: Int?
    package let queued: Date
    package let began, ended: Date?
    /// The labels of the runner that it waits for; nil while it waits for none.
    package let waitingFor: [String]?
    /// The runner that does its steps, or did the last of those that ran elsewhere than on the server.
    package let runner: String?
    /// What was odd about it, though it went on.
    package let warnings: [String]
    package let steps: [Step]
    package let artifacts: [Artifact]

    package init(_ run: MirrorRun) {
        mirror = run.mirror.rawValue
        number = run.number
        state = run.state
        cause = run.cause
        actor = run.actor
        subject = run.subject
        commit = run.commit
        reason = run.reason
        tag = run.tag
        reference = run.reference
        version = run.version
        marketingVersion = run.marketingVersion
        channel = run.channel
        buildNumber = run.buildNumber
        seconds = run.seconds
        repeats = run.repeats
        queued = run.queued
        began = run.began
        ended = run.ended
        waitingFor = run.waitingFor?.map(\.rawValue)
        runner = run.runner?.rawValue
        warnings = run.warnings
        steps = run.steps.map { step in
            Step(
                name: step.name,
                state: step.state,
                exitCode: step.exitCode,
                seconds: step.seconds,
                reason: step.reason,
                runsOn: step.runsOn?.map(\.rawValue),
                runner: step.runner?.rawValue,
            )
        }
        artifacts = run.artifacts.map { artifact in
            Artifact(
                path: artifact.path,
                outcome: artifact.outcome,
                bytes: artifact.bytes,
                sha256: artifact.blob?.description,
                app: artifact.app,
                release: artifact.release,
                channel: artifact.channel,
                detail: artifact.detail,
            )
        }
    }
}
