import Bytes
package import Versions

/// A change of a mirror requested by an admin; nil leaves a setting unchanged.
///
/// The command line and the API use this form, with readable units and lists of names.
package struct MirrorChange: Codable, Sendable, Equatable {
    package var address: String?
    /// Whether the address may be a folder of this machine; only commands on this machine can allow it.
    package var allowFile: Bool?
    /// The tags to build, with `*` for any characters.
    package var tags: [ReferencePattern]?
    package var branches: [ReferencePattern]?
    /// The bundle identifiers of the apps that builds may publish, with `*` for any characters.
    package var apps: [ReferencePattern]?
    /// The references whose builds get the secrets, such as `tags/v*`; by default those that are built
    /// automatically.
    package var trusted: [ReferencePattern]?
    /// Empty for none.
    package var prefix: String?
    package var pipelinePath: String?
    /// A pipeline set by the admin; empty to use the repository's.
    package var pipeline: String?
    /// Seconds between two syncs; 0 to sync only on demand.
    package var interval: Int?
    /// The user that runs steps; empty for the server's own.
    package var user: String?
    package var isolation: IsolationChoice?
    package var network: Bool?
    package var symbolicLinks: Bool?
    package var submodules: SubmoduleChoice?
    /// Folders of the machine that steps isolated by `bwrap` may read; empty for none.
    package var readFolders: [String]?
    /// In seconds.
    package var timeLimit: Int?
    /// In megabytes.
    package var sizeLimit: Int?
    /// In megabytes.
    package var memoryLimit: Int?
    /// In megabytes.
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

/// How steps are isolated.
package enum IsolationChoice: String, WordCoded, Sendable {
    /// A separate session, with limits.
    case none
    /// Also separate namespaces: a step sees no other processes, and no files but the system's and its own.
    case bwrap
}
