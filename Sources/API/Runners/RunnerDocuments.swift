import Cryptography
import Foundation
import Identifiers
import Runners

/// The request bodies of agents.
///
/// Unknown members are ignored, because a newer agent may send some.
enum RunnerRequest {
    struct Registration: Decodable {
        let code: String
        let name: String
        let machine: RunnerMachine
    }

    struct Poll: Decodable {
        let machine: RunnerMachine
    }

    struct Beat: Decodable {
        let steps: [RunnerStage.StepReport]
        let freeBytes: Int?
    }

    struct Finish: Decodable {
        struct Archive: Decodable {
            let bytes: Int
            let sha256: SHA256Digest
        }

        let ending: RunnerStage.Outcome.Ending
        let reason: String?
        let steps: [RunnerStage.StepReport]
        let archive: Archive?
    }

    struct Abandoning: Decodable {
        let reason: String
        /// Whether the agent was asked to stop, so that the attempt does not count as lost.
        let givesBack: Bool?
    }
}

enum RunnerAnswer {
    struct Registration: Encodable {
        let token: String
        let name: String
        let labels: [String]
        let mirrors: [String]

        init(_ runner: Runner, token: String) {
            self.token = token
            name = runner.name.rawValue
            labels = runner.labels.map(\.rawValue)
            mirrors = runner.mirrors.map(\.rawValue)
        }
    }

    /// A stage for its agent, with data that is not in the stage's document.
    struct Offer: Encodable {
        let mirror: String
        let build: Int
        let attempt: Int
        /// Whether the agent already had it.
        let resumes: Bool
        let commit: String
        let subject: String
        let labels: [String]
        let steps: [RunnerStage.Step]
        let environment: [String: String]
        let secrets: [String: String]
        let artifacts: [String]
        let limits: RunnerStage.Limits
        let hasFiles: Bool
        let symbolicLinks: Bool
        let leaseSeconds: Int
        let beatSeconds: Int
        /// The SHA-256 of the agent that this server provides; nil if it provides none.
        let agent: String?

        init(
            _ stage: RunnerStage,
            resumes: Bool,
            secrets: [String: String],
            agent: SHA256Digest?,
        ) {
            mirror = stage.mirror.rawValue
            build = stage.build
            attempt = stage.latestAttempt
            self.resumes = resumes
            commit = stage.commit
            subject = stage.subject
            labels = stage.labels.map(\.rawValue)
            steps = stage.steps
            environment = stage.environment
            self.secrets = secrets
            artifacts = stage.artifacts
            limits = stage.limits
            hasFiles = stage.hasFiles
            symbolicLinks = stage.symbolicLinks ?? false
            leaseSeconds = Int(stage.leaseLife)
            beatSeconds = stage.beatSeconds
            self.agent = agent?.description
        }
    }

    struct Beat: Encodable {
        /// Whether the agent should stop, because the build no longer needs the stage.
        let cancel: Bool
        var leaseSeconds = Int(RunnerStage.leaseLife)
        var logBytes = 0
        /// Whether further log output is discarded.
        var isLogFull = false
        var archiveBytes = 0

        private enum CodingKeys: String, CodingKey {
            case cancel, leaseSeconds, logBytes, archiveBytes
            case isLogFull = "logFull"
        }
    }

    struct Log: Encodable {
        let logBytes: Int
        let isLogFull: Bool
        let cancel = false

        private enum CodingKeys: String, CodingKey {
            case logBytes, cancel
            case isLogFull = "logFull"
        }
    }

    struct Archive: Encodable {
        let archiveBytes: Int
    }

    struct Nothing: Encodable {}
}
