package import Essentials
import GitRepositories
import Identifiers
package import MirrorBuilds
package import Mirrors
import Releases

/// A mirror as scripts see it; no secret is in it, only whether there is one.
package struct MirrorDocument: Codable, Sendable, Equatable {
    package let name, address: String
    package let tags, branches, trusted: [String]
    /// Bundle identifiers of the apps that its builds may publish; nil for any.
    package let apps: [String]?
    package let prefix, user, submodules: String?
    package let pipelinePath: String
    package let hasOwnPipeline, isPaused, allowsNetwork: Bool
    package let isolation: String
    package let interval: Int?
    /// The time limit of a build, in seconds.
    package let timeLimit: Int
    /// Megabytes of a file, of a process and of everything on the disk.
    package let sizeLimit: Int
    package let memoryLimit, diskLimit: Int?
    package let symbolicLinks: Bool
    /// Folders of the machine that steps behind bwrap may read; nil for none.
    package let readFolders: [String]?
    /// Whether addresses inside the server's network are refused.
    package let isPublicOnly: Bool?
    package let variables: [String]
    package let hasHookSecret: Bool
    /// The credentials that it fetches with, without their secrets; nil for none.
    package let credentials: [CredentialDocument]?
    /// What is odd about the settings; nil for nothing.
    package let remarks: [String]?
    package let synced: Date?
    package let problem: String?
    /// Why the last sync failed, as the answer to a request for that sync says it; nil if it did not fail.
    package let failure: SyncFailure?
    /// The result of the last successful sync.
    package let report: SyncReport?
    /// Tags that moved after they were first seen, and so are not built; nil for none.
    package let movedTags: [MovedTag]?
    /// Whether a requested sync has not begun.
    package let isDue: Bool
    /// The number of the last requested sync that is complete.
    package let answered: Int?
    package let waiting: Int
    package let latest: RunDocument?

    private static let movedTagLimit = 200

    /// - Parameters:
    ///   - mirror: the settings.
    ///   - state: what the last syncs found.
    ///   - secrets: only their names and kinds are shown.
    ///   - runs: the latest builds, newest first.
    package init(
        _ mirror: Mirror,
        _ state: MirrorState,
        _ secrets: MirrorSecrets,
        runs: [MirrorRun],
    ) {
        name = mirror.name.rawValue
        address = mirror.address.description
        tags = mirror.tags.map(\.description)
        branches = mirror.branches.map(\.description)
        trusted = mirror.trusted.map(\.description)
        apps = mirror.apps?.map(\.description)
        prefix = mirror.prefix
        user = mirror.user
        submodules = mirror.submodules?.rawValue
        pipelinePath = mirror.pipelinePath
        hasOwnPipeline = mirror.pipeline != nil
        isPaused = mirror.isPaused
        allowsNetwork = mirror.allowsNetwork
        isolation = mirror.isolation.rawValue
        interval = mirror.interval
        timeLimit = mirror.limits.buildSeconds
        sizeLimit = mirror.limits.fileBytes >> 20
        memoryLimit = mirror.limits.memory.map { $0 >> 20 }
        diskLimit = (mirror.limits.diskBytes ?? MirrorLimits.defaultDiskBytes) >> 20
        symbolicLinks = mirror.makesSymbolicLinks
        readFolders = mirror.readableFolders
        isPublicOnly = mirror.isPublicOnly == true ? true : nil
        variables = secrets.variables.keys.sorted()
        hasHookSecret = secrets.hook != nil
        let credentials = CredentialDocument.all(of: secrets)
        self.credentials = credentials.isEmpty ? nil : credentials
        remarks = mirror.remarks.isEmpty ? nil : mirror.remarks
        synced = state.synced
        problem = state.problem
        failure = state.failure
        report = state.report
        let moved = MovedTag.all(of: state)
        movedTags = moved.isEmpty ? nil : Array(moved.prefix(Self.movedTagLimit))
        isDue = state.isDue
        answered = state.answered
        waiting = runs.count { $0.state == .queued }
        latest = runs.first.map(RunDocument.init)
    }
}
