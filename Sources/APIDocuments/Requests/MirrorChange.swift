import Bytes
package import Versions

/// The changes that an admin asks for; settings that are nil stay as they are.
///
/// Command line and API use this form, with units for people, and names in lists.
package struct MirrorChange: Codable, Sendable, Equatable {
    package var address: String?
    /// Whether a folder of this machine may be the address; only commands on this machine may allow
    /// it.
    package var allowFile: Bool?
    /// Tags that are built, with `*` for any characters.
    package var tags: [ReferencePattern]?
    package var branches: [ReferencePattern]?
    /// Bundle identifiers of the apps that builds may publish, with `*` for any characters.
    package var apps: [ReferencePattern]?
    /// References whose builds get the secrets, such as `tags/v*`; by default, those built
    /// automatically.
    package var trusted: [ReferencePattern]?
    /// Empty for none.
    package var prefix: String?
    package var pipelinePath: String?
    /// The admin's own pipeline; empty to use the repository's.
    package var pipeline: String?
    /// Seconds between two syncs; 0 for only on demand.
    package var interval: Int?
    /// Empty for the server's own.
    package var user: String?
    package var isolation: IsolationChoice?
    package var network: Bool?
    package var symbolicLinks: Bool?
    package var submodules: SubmoduleChoice?
    /// Folders of the machine that steps behind `bwrap` may read; empty for none.
    package var readFolders: [String]?
    /// Seconds.
    package var timeLimit: Int?
    /// Megabytes.
    package var sizeLimit: Int?
    /// Megabytes.
    package var memoryLimit: Int?
    /// Megabytes.
    package var diskLimit: Int?
    package var paused: Bool?
    package var secrets: MirrorSecretsChange?

    package init() {}

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case address, allowFile, tags, branches, trusted, apps, prefix, pipelinePath, pipeline
        case interval, user, isolation, network, symbolicLinks, submodules, readFolders
        case timeLimit, sizeLimit, memoryLimit, diskLimit, paused, secrets
    }
}

/// Which submodules are checked out.
package enum SubmoduleChoice: String, WordCoded, Sendable {
    case none
    case sameHost = "same-host"
    case any
}

/// What steps run in.
package enum IsolationChoice: String, WordCoded, Sendable {
    /// A session of its own, with limits.
    case none
    /// Namespaces of their own too: no other process, no file but the system's and its own.
    case bwrap
}
