package import Essentials
package import Identifiers

/// Consecutive steps of a build that one runner runs, from the moment when they are offered:
/// `stages/{mirror}.{build}.json`.
///
/// The process that builds offers it, a runner takes it, and that process removes it when the stage is
/// over. A build has at most one at a time.
package struct RunnerStage: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable {
        /// Waits for a runner.
        case offered
        /// A runner works on it.
        case leased
        /// The runner has handed everything in, and ``outcome`` says how it went.
        case finished
        /// No runner could finish it; ``reason`` says why.
        case lost
        /// The build no longer wants it: it was cancelled, or its process gave up.
        case withdrawn

        package var isOver: Bool { self == .finished || self == .lost || self == .withdrawn }
    }

    package var schema = 1
    package let mirror: Slug
    package let build: Int
    package let commit: String
    /// The name of the build for people: a tag, a branch, or a commit.
    package let subject: String
    /// The labels that a runner must have, all of them.
    package let labels: [RunnerLabel]
    package let steps: [Step]
    /// For every step; without `HOME`, `TMPDIR`, `OTA_WORKSPACE` and `PATH`, which the agent knows.
    package let environment: [String: String]
    /// Whether the agent receives the mirror's secrets, which are in no document of a stage.
    package let usesSecrets: Bool
    /// Patterns of the files to hand in.
    package let artifacts: [String]
    package let limits: Limits
    package let offered: Date
    /// Whether files of earlier steps wait for the agent.
    package let hasFiles: Bool
    /// Bytes of the build's log before this stage; the runner's output follows them.
    package let logStart: Int
    /// Whether symbolic links of the repository are made; otherwise they become files, as on the server.
    package var symbolicLinks: Bool?
    /// Whether the mirror does not trust the reference that is built; nil for no.
    package var isUntrusted: Bool?
    /// What its leases last, if not ``leaseLife``.
    package var leaseSeconds: Int?
    package var state = State.offered
    package var attempts: [Attempt] = []
    package var outcome: Outcome?
    package var reason: String?

    package struct Step: Codable, Sendable, Equatable {
        /// Its place among the steps of the build.
        package let index: Int
        package let name: String
        package let run: String
        package var workingDirectory: String?
        /// Seconds.
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
        /// Of all steps together.
        package var seconds: Int
        package var logBytes: Int
        /// Of one file that a step writes.
        package var fileBytes: Int
        /// Of all that is handed in, and of the checkout with what the steps write.
        package var diskBytes: Int

        package init(seconds: Int, logBytes: Int, fileBytes: Int, diskBytes: Int) {
            self.seconds = seconds
            self.logBytes = logBytes
            self.fileBytes = fileBytes
            self.diskBytes = diskBytes
        }
    }

    /// One runner's try; ``number(ofAttempt:)`` fences off earlier ones.
    package struct Attempt: Codable, Sendable, Equatable {
        package let runner: Slug
        package let taken: Date
        /// Until when the runner has to be heard from again.
        package var until: Date
        package var steps: [StepReport] = []
        /// Whether a request of the attempt has arrived.
        package var isBegun: Bool?
        /// Why it ended without an outcome.
        package var lost: String?
        /// Whether its runner gave it back because its agent was told to stop.
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
        /// Why it failed, as the end of a sentence.
        package var reason: String?
        /// Bytes of the ZIP archive that holds the files; 0 for none.
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
