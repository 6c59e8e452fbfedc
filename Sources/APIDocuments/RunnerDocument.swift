package import Foundation

/// A runner as `--json`, the API and pages show it: a machine that builds for the server.
package struct RunnerEntry: Codable, Sendable, Equatable {
    package let name: String
    package let labels: [String]
    /// The mirrors whose builds it may take.
    package let mirrors: [String]
    package let status: Status
    package let added: Date
    package let addedBy: String
    /// Until when the code counts that its agent has not registered with; nil where there is none.
    package let codeExpires: Date?
    package let registered: Date?
    /// When it was heard from, to within five minutes.
    package let seen: Date?
    /// What its agent says of the machine; nil until it has registered.
    package let machine: Machine?
    package let building: [Work]

    package enum Status: String, Codable, Sendable {
        /// No agent has registered yet.
        case new
        case online, offline, paused
    }

    /// What the agent says, which nobody has checked.
    package struct Machine: Codable, Sendable, Equatable {
        package let system: String
        package let python: String
        /// Each as `26.1 (17B55)`.
        package let xcodes: [String]
        package let freeBytes: Int
        /// Whether its agent is the one that the server hands out; nil where that is not known.
        package let isNewest: Bool?

        package init(
            system: String,
            python: String,
            xcodes: [String],
            freeBytes: Int,
            isNewest: Bool?,
        ) {
            self.system = system
            self.python = python
            self.xcodes = xcodes
            self.freeBytes = freeBytes
            self.isNewest = isNewest
        }
    }

    /// A build that it works on now.
    package struct Work: Codable, Sendable, Equatable {
        package let mirror: String
        package let build: Int
        /// A tag, a branch, or a commit.
        package let subject: String
        /// 2 for the second runner that tries.
        package let attempt: Int
        package let since: Date

        package init(mirror: String, build: Int, subject: String, attempt: Int, since: Date) {
            self.mirror = mirror
            self.build = build
            self.subject = subject
            self.attempt = attempt
            self.since = since
        }
    }

    package init(
        name: String,
        labels: [String],
        mirrors: [String],
        status: Status,
        added: Date,
        addedBy: String,
        codeExpires: Date?,
        registered: Date?,
        seen: Date?,
        machine: Machine?,
        building: [Work],
    ) {
        self.name = name
        self.labels = labels
        self.mirrors = mirrors
        self.status = status
        self.added = added
        self.addedBy = addedBy
        self.codeExpires = codeExpires
        self.registered = registered
        self.seen = seen
        self.machine = machine
        self.building = building
    }
}

/// `{"schema": 1, "runners": […]}`.
package struct RunnersDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let runners: [RunnerEntry]

    package init(runners: [RunnerEntry]) {
        self.runners = runners
    }
}

/// `{"schema": 1, "runner": {…}}`.
package struct RunnerDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let runner: RunnerEntry

    package init(runner: RunnerEntry) {
        self.runner = runner
    }
}

/// A runner with a new registration code, which is shown once, and what to do with that.
package struct RunnerCodeDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let runner: RunnerEntry
    /// For one registration, until ``RunnerEntry/codeExpires``.
    package let code: String
    /// What to paste into a shell on the machine.
    package let line: String
    /// The server's address for agents.
    package let server: String
    /// SHA-256 of `/runner.py`; nil where it is not known.
    package let agentSHA256: String?
    /// SHA-256 of the server's own authority, in DER; nil where the server has none.
    package let authoritySHA256: String?

    package init(
        runner: RunnerEntry,
        code: String,
        line: String,
        server: String,
        agentSHA256: String?,
        authoritySHA256: String?,
    ) {
        self.runner = runner
        self.code = code
        self.line = line
        self.server = server
        self.agentSHA256 = agentSHA256
        self.authoritySHA256 = authoritySHA256
    }
}

/// A runner that was paused or resumed.
package struct PausedRunnerDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let runner: RunnerEntry
    /// False where it was paused, or active, already.
    package let changed: Bool

    package init(runner: RunnerEntry, changed: Bool) {
        self.runner = runner
        self.changed = changed
    }
}

/// `{"schema": 1, "removed": "mac-1"}`.
package struct RemovedRunnerDocument: Codable, Sendable, Equatable {
    package var schema = 1
    package let removed: String

    package init(removed: String) {
        self.removed = removed
    }
}
