package import Essentials
package import Releases

/// A build of a mirror, for scripts.
package struct RunDocument: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable, CaseIterable {
        case queued, running, skipped, failed, succeeded, cancelled, interrupted

        package var isOver: Bool { self != .queued && self != .running }
    }

    /// Why it was queued.
    package enum Cause: String, Codable, Sendable, CaseIterable {
        case tag, branch, manual
    }

    package struct Step: Codable, Sendable, Equatable {
        package enum State: String, Codable, Sendable, CaseIterable {
            case waiting, running, skipped, failed, succeeded
        }

        package let name: String
        package let state: State
        package var exitCode, seconds: Int?
        package var reason: String?
        /// The labels that the runner must have; nil for a step on the server.
        package var runsOn: [String]?
        /// The runner that ran the step.
        package var runner: String?

        package init(_ name: String, _ state: State) {
            self.name = name
            self.state = state
        }
    }

    package struct Artifact: Codable, Sendable, Equatable {
        package enum Outcome: String, Codable, Sendable, CaseIterable {
            case published, kept, notInstallable, refused, missing
        }

        package let path: String
        package let outcome: Outcome
        package var bytes: Int?
        package var sha256, app, release, channel, detail: String?

        package init(_ path: String, _ outcome: Outcome) {
            self.path = path
            self.outcome = outcome
        }
    }

    package var schema = 1
    package let mirror: String
    package let number: Int
    package let actor, subject, commit: String
    package let state: State
    package let cause: Cause
    package var reason, tag, reference, version, marketingVersion, channel: String?
    package var buildNumber, seconds, repeats: Int?
    package let queued: Date
    package var began, ended: Date?
    /// The labels of the runner for which the build is waiting; nil if it is not waiting for one.
    package var waitingFor: [String]?
    /// Why no runner takes it now; nil if it is not waiting for one.
    package var waitingReason: String?
    /// The runner of the latest steps that did not run on the server.
    package var runner: String?
    /// Problems that did not stop the build.
    package var warnings: [String] = []
    /// Errors and failed tests in the log of a failed build.
    package var issues: [BuildIssue]?
    package var steps: [Step] = []
    package var artifacts: [Artifact] = []

    /// - Parameters:
    ///   - mirror: the mirror's name.
    ///   - number: the number of the build, from 1 in each mirror.
    ///   - state: its state.
    ///   - cause: why it was queued.
    ///   - actor: who requested it.
    ///   - subject: what is built, for people: a tag, a branch or a commit.
    ///   - commit: the full commit hash.
    ///   - queued: when it was queued.
    package init(
        _ mirror: String,
        _ number: Int,
        _ state: State,
        _ cause: Cause,
        by actor: String,
        subject: String,
        commit: String,
        queued: Date,
    ) {
        self.mirror = mirror
        self.number = number
        self.state = state
        self.cause = cause
        self.actor = actor
        self.subject = subject
        self.commit = commit
        self.queued = queued
    }
}
