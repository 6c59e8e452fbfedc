import Access
package import Foundation
package import Identifiers

/// A runner in `--json`, the API and on pages, without its code and token.
package struct RunnerEntry: Codable, Sendable, Equatable {
    package let name: String
    package let labels: [String]
    /// The mirrors whose builds it may run.
    package let mirrors: [String]
    /// The git references whose builds it runs.
    package let references: RunnerReferences
    package let state: State
    /// Whether the runner takes no new builds; it may still be building.
    package let paused: Bool
    package let added: Date
    package let addedBy: String
    /// When its agent registered; nil before that.
    package let registered: Date?
    /// When its registration code expires; nil if it has none.
    package let codeExpires: Date?
    /// When its agent last sent anything, accurate to a minute or two; nil before that.
    package let seen: Date?
    /// The machine, as reported by its agent.
    package let machine: Machine?
    /// The build that it is running.
    package let building: Work?

    package enum State: String, Codable, Sendable {
        /// No agent has registered yet.
        case unregistered
        case online, building, offline, paused
    }

    /// The state for people: `online`, or `building, paused`.
    package var stateWords: String {
        let words = state == .unregistered ? "never connected" : state.rawValue
        return paused && state != .paused ? words + ", paused" : words
    }

    /// The machine, as reported by the agent.
    package struct Machine: Codable, Sendable, Equatable {
        package let system: String
        package let python: String
        package let xcodes: [String]
        package let freeBytes: Int
        /// Whether the agent has the version that this server provides.
        package let agentIsCurrent: Bool

        package init(
            system: String,
            python: String,
            xcodes: [String],
            freeBytes: Int,
            agentIsCurrent: Bool,
        ) {
            self.system = system
            self.python = python
            self.xcodes = xcodes
            self.freeBytes = freeBytes
            self.agentIsCurrent = agentIsCurrent
        }
    }

    /// A build that the runner is running.
    package struct Work: Codable, Sendable, Equatable {
        package let mirror: String
        package let build: Int
        /// A tag, a branch, or a commit.
        package let subject: String
        package let since: Date

        package init(mirror: String, build: Int, subject: String, since: Date) {
            self.mirror = mirror
            self.build = build
            self.subject = subject
            self.since = since
        }
    }

    package init(
        name: String,
        labels: [String],
        mirrors: [String],
        references: RunnerReferences,
        state: State,
        paused: Bool,
        added: (at: Date, by: String),
        registered: Date?,
        codeExpires: Date?,
        seen: Date?,
        machine: Machine?,
        building: Work?,
    ) {
        self.name = name
        self.labels = labels
        self.mirrors = mirrors
        self.references = references
        self.state = state
        self.paused = paused
        (self.added, addedBy) = added
        self.registered = registered
        self.codeExpires = codeExpires
        self.seen = seen
        self.machine = machine
        self.building = building
    }
}

/// The body of `POST /runners`.
package struct NewRunner: ActionContent, Sendable, Equatable {
    package static let keys: Set<String> = ["name", "labels", "mirrors", "references"]

    package let name: String
    /// Nil for `mac`.
    package var labels: [String]?
    package let mirrors: [String]
    /// Nil for trusted references.
    package var references: RunnerReferences?

    package init(
        name: String,
        labels: [String]?,
        mirrors: [String],
        references: RunnerReferences? = nil,
    ) {
        self.name = name
        self.labels = labels
        self.mirrors = mirrors
        self.references = references
    }
}

/// The body of `PATCH /runners/{runner}`; nil leaves a setting unchanged.
package struct RunnerChange: ActionContent, Sendable, Equatable {
    package static let keys: Set<String> = ["labels", "mirrors", "references"]

    package var labels: [String]?
    package var mirrors: [String]?
    package var references: RunnerReferences?

    package init(
        labels: [String]? = nil,
        mirrors: [String]? = nil,
        references: RunnerReferences? = nil,
    ) {
        self.labels = labels
        self.mirrors = mirrors
        self.references = references
    }
}

/// Lists the runners by name.
package struct ListRunners: Action {
    package typealias Answer = RunnersDocument
    package static let route = ActionRoute(.get, "/runners", .everywhere(.admin))

    package init() {}
}

/// `{"schema": 1, "runners": […]}`.
package struct RunnersDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let runners: [RunnerEntry]

    package init(runners: [RunnerEntry]) {
        self.runners = runners
    }
}

/// Shows one runner.
package struct ShowRunner: Action {
    package typealias Answer = RunnerDocument
    package static let route = ActionRoute(.get, "/runners/{runner}", .everywhere(.admin))

    package let runner: String

    package init(_ runner: String) {
        self.runner = runner
    }
}

/// `{"schema": 1, "runner": {…}, "changed": true}`.
package struct RunnerDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let runner: RunnerEntry
    /// False if nothing had to change; nil if no change was requested.
    package let changed: Bool?

    package init(runner: RunnerEntry, changed: Bool? = nil) {
        self.runner = runner
        self.changed = changed
    }
}

/// Adds a runner; only the response contains the command that starts its agent.
package struct AddRunner: Action {
    package typealias Answer = RunnerCodeDocument
    package static let route = ActionRoute(
        .post,
        "/runners",
        .everywhere(.admin),
        success: .created,
    )

    package let content: NewRunner

    package init(_ runner: NewRunner) {
        content = runner
    }

    package static func location(of answer: RunnerCodeDocument) -> String? {
        "/runners/" + answer.runner.name
    }
}

/// Creates a new registration code, for an agent that never registered or a machine that was replaced.
///
/// The token of a registered agent works until the new code is used.
package struct RenewRunnerCode: Action {
    package typealias Answer = RunnerCodeDocument
    package static let route = ActionRoute(.post, "/runners/{runner}/code", .everywhere(.admin))

    package let runner: String

    package init(_ runner: String) {
        self.runner = runner
    }
}

/// A runner with its registration code, which works once.
package struct RunnerCodeDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let runner: RunnerEntry
    package let code: String
    package let expires: Date
    /// The command to run on the machine; nil if the server's address is not set.
    package let command: String?

    package init(runner: RunnerEntry, code: String, expires: Date, command: String?) {
        self.runner = runner
        self.code = code
        self.expires = expires
        self.command = command
    }
}

/// Changes a runner's settings; its build ends if they no longer allow it.
package struct ChangeRunner: Action {
    package typealias Answer = RunnerDocument
    package static let route = ActionRoute(.patch, "/runners/{runner}", .everywhere(.admin))

    package let runner: String
    package let content: RunnerChange

    package init(_ runner: String, _ change: RunnerChange) {
        self.runner = runner
        content = change
    }
}

/// Pauses a runner: it finishes its build and takes no new ones.
///
/// It is no error if it is already paused.
package struct PauseRunner: Action {
    package typealias Answer = RunnerDocument
    package static let route = ActionRoute(.post, "/runners/{runner}/pause", .everywhere(.admin))

    package let runner: String

    package init(_ runner: String) {
        self.runner = runner
    }
}

/// Resumes a paused runner.
///
/// It is no error if it is not paused.
package struct ResumeRunner: Action {
    package typealias Answer = RunnerDocument
    package static let route = ActionRoute(.post, "/runners/{runner}/resume", .everywhere(.admin))

    package let runner: String

    package init(_ runner: String) {
        self.runner = runner
    }
}

/// Removes a runner: its token becomes invalid, and its build is offered to another runner.
package struct RemoveRunner: Action {
    package typealias Answer = RunnerDocument
    package static let route = ActionRoute(.delete, "/runners/{runner}", .everywhere(.admin))

    package let runner: String

    package init(_ runner: String) {
        self.runner = runner
    }
}
