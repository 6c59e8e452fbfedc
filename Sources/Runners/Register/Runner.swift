package import Cryptography
package import Essentials
package import Identifiers

/// A machine that builds for this server, such as a Mac: an entry of `runners.json`.
package struct Runner: Codable, Sendable, Equatable {
    package let name: Slug
    package var labels: [RunnerLabel]
    /// The mirrors that it may build for.
    package var mirrors: [Slug]
    package let added: Date
    package let addedBy: String
    /// The digest of the code that its agent registers with; valid once, for ``codeLife``.
    package var code: SHA256Digest?
    package var codeExpires: Date?
    /// The digest of the agent's token.
    package var token: SHA256Digest?
    package var registered: Date?
    /// Whether the runner is paused: it finishes its build, and takes no more.
    package var isPaused: Bool?
    /// The references whose builds it takes, because steps can read whatever other builds leave on the
    /// machine; nil for trusted ones only.
    package var references: RunnerReferences?
    /// The machine, as its agent last described it.
    package var machine: RunnerMachine?
    /// When the runner was last heard from, to within ``seenGrain``.
    package var seen: Date?
    /// Whether the server knows that its agent is not connected; nil for no.
    package var isGone: Bool?

    /// Seconds for which a registration code is valid.
    package static let codeLife = 3600.0
    /// Seconds between two records of when a runner was heard from.
    package static let seenGrain = 60.0
    /// Seconds after which a runner that was not heard from is offline, unless the server knows earlier
    /// that it is gone.
    ///
    /// It polls or sends a heartbeat at least every minute, and the record of that is up to ``seenGrain``
    /// late.
    package static let onlineLife = 150.0

    package init(
        name: Slug,
        labels: [RunnerLabel],
        mirrors: [Slug],
        at date: Date,
        by actor: String,
    ) {
        self.name = name
        self.labels = labels
        self.mirrors = mirrors
        added = date
        addedBy = actor
    }

    /// Whether the runner can take work for a mirror that requires all of `labels`.
    package func serves(_ mirror: Slug, wanting labels: [RunnerLabel]) -> Bool {
        isPaused != true && token != nil && mirrors.contains(mirror)
            && labels.allSatisfy(self.labels.contains)
    }

    /// Whether the runner takes builds of references that their mirror does not trust, or of those that it
    /// does.
    package func takes(untrusted isUntrusted: Bool) -> Bool {
        (references ?? .trusted).include(untrusted: isUntrusted)
    }
}

/// A machine as its agent describes it; untrusted, and only for display.
package struct RunnerMachine: Codable, Sendable, Equatable {
    /// `macOS 26.1 (arm64)`, `Linux 6.1 (x86_64)`.
    package var system: String
    package var python: String
    /// The SHA-256 of the agent's file, which shows whether the agent is outdated.
    package var agent: String
    /// Every Xcode that the agent found: `26.1 (17B55)`; empty on Linux.
    package var xcodes: [String]
    /// Free bytes on the disk on which it builds.
    package var freeBytes: Int

    package init(system: String, python: String, agent: String, xcodes: [String], freeBytes: Int) {
        self.system = system
        self.python = python
        self.agent = agent
        self.xcodes = xcodes
        self.freeBytes = freeBytes
    }
}
