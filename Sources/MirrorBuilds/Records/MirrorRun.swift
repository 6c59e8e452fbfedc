import Bytes
package import Cryptography
package import Essentials
package import Identifiers
package import Mirrors
package import Releases
import Versions

/// One build of a mirror, from the moment it was requested: `runs/{mirror}/{number}.json`.
///
/// The documents are the queue: every `queued` one is built, in the order of the numbers.
package struct MirrorRun: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable, CaseIterable {
        case queued, running
        /// There was nothing to do, and ``reason`` says why: no such folder, no pipeline.
        case skipped
        case failed, succeeded, cancelled
        /// The server stopped while it ran.
        case interrupted

        package var isOver: Bool { self != .queued && self != .running }
    }

    package var schema = 1
    package let mirror: Slug
    package let number: Int
    package let cause: BuildCause
    /// Who requested the build: a user, `schedule`, or `webhook`.
    package let actor: String
    /// `refs/tags/…`, `refs/heads/…`; nil if a commit was named.
    package let reference: String?
    package let commit: String
    /// The tag after which the build is named.
    package let tag: String?
    /// Whether the build may replace a release of the same version and build number.
    package let isRebuild: Bool
    /// The number of the interrupted build that this one repeats.
    package let repeats: Int?
    package let queued: Date
    package var state = State.queued
    /// Why it was skipped, failed or was cancelled, as a clause.
    package var reason: String?
    package var began: Date?
    package var ended: Date?
    /// The mark by which the build's processes are found after a crash.
    package var mark: String?
    /// The user who cancelled the build.
    package var cancelledBy: String?
    /// Whether a release of the build is being published, so that it can no longer be cancelled; nil
    /// before.
    package var isDelivering: Bool?
    package var version: String?
    package var marketingVersion: String?
    package var buildNumber: Int?
    package var channel: String?
    package var steps: [Step] = []
    package var artifacts: [Artifact] = []
    /// Anything unusual that did not stop the build, as sentences without a full stop.
    package var warnings: [String] = []
    /// The errors and failed tests in the log of a failed build.
    package var issues: [BuildIssue]?
    /// The blob of its log; nil until the build has ended.
    package var log: SHA256Digest?
    /// The labels of the runner that the build is waiting for; nil if it is not waiting.
    package var waitingFor: [RunnerLabel]?
    /// The runner of the latest steps that ran on a runner.
    package var runner: Slug?
    /// How often another process has continued the build after the one running it had ended.
    package var resumptions: Int?

    package struct Step: Codable, Sendable, Equatable {
        package enum State: String, Codable, Sendable {
            case waiting, running, skipped, failed, succeeded
        }

        package let name: String
        package var state = State.waiting
        package var exitCode: Int?
        package var seconds: Int?
        package var reason: String?
        /// The labels that its runner must have; nil for a step that runs on the server.
        package var runsOn: [RunnerLabel]?
        /// The runner that ran the step.
        package var runner: Slug?

        package init(name: String) {
            self.name = name
        }
    }

    package struct Artifact: Codable, Sendable, Equatable {
        package enum Outcome: String, Codable, Sendable {
            /// An IPA that testers can install.
            case published
            /// Kept with the build.
            case kept
            /// Kept, but not installable: it is not signed, or no device is in its profile.
            case notInstallable
            case refused
            case missing
        }

        package let path: String
        package let outcome: Outcome
        package var bytes: Int?
        package var blob: SHA256Digest?
        /// Whether the blob is a ZIP archive of a folder.
        package var isFolder: Bool?
        /// The release that the artifact became.
        package var app: String?
        package var release: String?
        package var channel: String?
        package var detail: String?

        package init(path: String, outcome: Outcome) {
            self.path = path
            self.outcome = outcome
        }
    }

    package init(_ request: RunRequest, of mirror: Slug, number: Int, at date: Date) {
        self.mirror = mirror
        self.number = number
        cause = request.cause
        actor = request.actor
        reference = request.reference
        commit = request.commit.description
        tag = request.tag?.rawValue
        isRebuild = request.isRebuild
        repeats = request.repeats
        queued = date
    }

    /// The build's duration in seconds; nil if it has not begun or has not ended.
    package var seconds: Int? {
        guard let began, let ended else { return nil }
        return max(0, Int(ended.timeIntervalSince(began)))
    }

    /// Whether a later build replaced this one, so that it never began.
    var gaveWay: Bool { state == .cancelled && cancelledBy == nil }

    /// The warning on a manual build of the same commit.
    var noteForTwin: String {
        let who =
            switch cause {
            case .tag: "because the tag \(subject) was pushed"
            case .branch: "because of a push to \(subject)"
            case .manual: "as \(actor) requested"
            }
        return
            "mirror \(mirror) is already building \(commit.shortCommit), \(who): `ota mirror logs "
            + "\(mirror) \(number)`; this is another build of the same commit"
    }

    /// What is built, for display: a tag, a branch, or a commit.
    package var subject: String {
        if let tag { return tag }
        if let branch = reference?.droppingPrefix("refs/heads/") { return branch }
        return commit.shortCommit
    }
}
