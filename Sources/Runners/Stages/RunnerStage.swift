package import Essentials
package import Identifiers

/// Consecutive steps of a build that one runner runs, from the moment when they are offered:
/// `stages/{mirror}.{build}.json`.
///
/// The process that runs the build offers the stage, a runner takes it, and that process removes it when
/// the stage is over. A build has at most one at a time.
package struct RunnerStage: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable {
        /// The stage is waiting for a runner.
        case offered
        /// A runner is working on it.
        case leased
        /// The runner has uploaded everything, and ``outcome`` is its result.
        case finished
        /// No runner could finish it; ``reason`` says why.
        case lost
        /// The build no longer needs it: it was cancelled, or its process gave up.
        case withdrawn

        package var isOver: Bool { self == .finished || self == .lost || self == .withdrawn }
    }

    package var schema = 1
    package let mirror: Slug
    package let build: Int
    package let commit: String
    /// What is built, for display: a tag, a branch, or a commit.
    package let subject: String
    /// The labels that a runner must have, all of them.
    package let labels: [RunnerLabel]
    package let steps: [Step]
    /// Variables of every step, without `HOME`, `TMPDIR`, `OTA_WORKSPACE` and `PATH`, which the agent sets.
    package let environment: [String: String]
    /// Whether the agent receives the mirror's secrets, which no stage document contains.
    package let usesSecrets: Bool
    /// Patterns of the files to upload.
    package let artifacts: [String]
    package let limits: Limits
    package let offered: Date
    /// Whether there are files of earlier steps for the agent.
    package let hasFiles: Bool
    /// Bytes of the build's log before this stage; the runner's output follows them.
    package let logStart: Int
    /// Whether the checkout creates the repository's symbolic links; otherwise they become files, as on the
    /// server.
    package var symbolicLinks: Bool?
    /// Whether the mirror does not trust the reference that is built; nil for no.
    package var isUntrusted: Bool?
    /// The duration of its leases in seconds, if not ``leaseLife``.
    package var leaseSeconds: Int?
    package var state = State.offered
    package var attempts: [Attempt] = []
    package var outcome: Outcome?
    package var reason: String?

    package struct Step: Codable, Sendable, Equatable {
        /// The step's index among the steps of the build.
        package let index: Int
        package let name: String
        package let run: String
        package var workingDirectory: String?
        /// In seconds.
        package var timeout: Int?
        package var environment: [String: String]

        package init(index: Int, name: String, run: String, environment: [String: String]) {
            self.index = index
            self.name = name
            self.run = run
            self.environment = environment
        }
    }

    package struct Limits: Codable, Sendable, Equatable {
        /// For all steps together.
        package var seconds: Int
        package var logBytes: Int
        /// For one file that a step writes.
        package var fileBytes: Int
        /// For everything that is uploaded, and for the checkout with what the steps write.
        package var diskBytes: Int

        package init(seconds: Int, logBytes: Int, fileBytes: Int, diskBytes: Int) {
            self.seconds = seconds
            self.logBytes = logBytes
            self.fileBytes = fileBytes
            self.diskBytes = diskBytes
        }
    }

    /// One runner's attempt; ``number(ofAttempt:)`` fences off earlier ones.
    package struct Attempt: Codable, Sendable, Equatable {
        package let runner: Slug
        package let taken: Date
        /// When the lease ends if the runner is not heard from again.
        package var until: Date
        package var steps: [StepReport] = []
        /// Whether a request of the attempt has arrived.
        package var isBegun: Bool?
        /// Why the attempt ended without an outcome; nil if it did not.
        package var lost: String?
        /// Whether its runner gave it back because its agent was asked to stop.
        package var isGivenBack: Bool?

        package init(runner: Slug, taken: Date, until: Date) {
            self.runner = runner
            self.taken = taken
            self.until = until
        }
    }

    /// A runner's report on a step; untrusted.
    package struct StepReport: Codable, Sendable, Equatable {
        package enum State: String, Codable, Sendable {
            case running, failed, succeeded
        }

        /// As ``Step/index``.
        package let index: Int
        package var state: State
        package var exitCode: Int?
        package var seconds: Int?
        package var reason: String?

        package init(index: Int, state: State) {
            self.index = index
            self.state = state
        }
    }

    package struct Outcome: Codable, Sendable, Equatable {
        package enum Ending: String, Codable, Sendable {
            case succeeded, failed, cancelled
        }

        package let ending: Ending
        /// Why the stage failed, as the end of a sentence.
        package var reason: String?
        /// The size in bytes of the ZIP archive with the files; 0 if there is none.
        package var archiveBytes: Int

        package init(ending: Ending, reason: String?, archiveBytes: Int) {
            self.ending = ending
            self.reason = reason
            self.archiveBytes = archiveBytes
        }
    }

    package init(
        mirror: Slug,
        build: Int,
        commit: String,
        subject: String,
        labels: [RunnerLabel],
        steps: [Step],
        environment: [String: String],
        usesSecrets: Bool,
        artifacts: [String],
        limits: Limits,
        hasFiles: Bool,
        logStart: Int,
        at date: Date,
    ) {
        self.mirror = mirror
        self.build = build
        self.commit = commit
        self.subject = subject
        self.labels = labels
        self.steps = steps
        self.environment = environment
        self.usesSecrets = usesSecrets
        self.artifacts = artifacts
        self.limits = limits
        self.hasFiles = hasFiles
        self.logStart = logStart
        offered = date
    }
}
