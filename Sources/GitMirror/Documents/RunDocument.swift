package import Foundation
import Cryptography
import Releases

/// A build as scripts see it.
package struct RunDocument: Encodable, Sendable {
    package struct Step: Encodable, Sendable {
        package let name, state: String
        package let exitCode, seconds: Int?
        package let reason: String?
    }

    package struct Artifact: Encodable, Sendable {
        package let path, outcome: String
        package let bytes: Int?
        package let sha256, app, release, channel, detail: String?
    }

    package let schema = 1
    package let mirror: String
    package let number: Int
    package let state, cause, actor, subject, commit: String
    package let reason, tag, reference, version, marketingVersion, channel: String?
    package let buildNumber, seconds: Int?
    package let queued: Date
    package let began, ended: Date?
    package let steps: [Step]
    package let artifacts: [Artifact]

    package init(_ run: MirrorRun) {
        mirror = run.mirror.rawValue
        number = run.number
        state = run.state.rawValue
        cause = run.cause.rawValue
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
        queued = run.queued
        began = run.began
        ended = run.ended
        steps = run.steps.map { step in
            Step(
                name: step.name,
                state: step.state.rawValue,
                exitCode: step.exitCode,
                seconds: step.seconds,
                reason: step.reason,
            )
        }
        artifacts = run.artifacts.map { artifact in
            Artifact(
                path: artifact.path,
                outcome: artifact.outcome.rawValue,
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
