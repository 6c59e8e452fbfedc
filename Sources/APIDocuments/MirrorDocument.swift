package import Essentials

/// A mirror without its secrets, for scripts.
package struct MirrorDocument: Codable, Sendable, Equatable {
    /// Why the last sync failed, as in the response to the request for that sync.
    package struct Failure: Codable, Sendable, Equatable {
        /// The identifier of the `Problem`.
        package let id: String
        /// What to do about it.
        package let fix: String

        package init(id: String, fix: String) {
            self.id = id
            self.fix = fix
        }
    }

    /// A tag that now points to another commit than when it was first seen; an admin must decide what to
    /// do.
    package struct Moved: Codable, Sendable, Equatable {
        /// Such as `v1.2.3`.
        package let tag: String
        /// The commits.
        package let from, to: String

        package init(tag: String, from: String, to: String) {
            self.tag = tag
            self.from = from
            self.to = to
        }
    }

    package let name, address: String
    package var tags: [String] = []
    package var branches: [String] = []
    package var trusted: [String] = []
    /// Bundle identifiers of the apps that its builds may publish; nil for any.
    package var apps: [String]?
    package var prefix, user, submodules: String?
    package var pipelinePath = ""
    package var hasOwnPipeline = false
    package var isPaused = false
    package var allowsNetwork = false
    package var isolation = ""
    package var interval: Int?
    /// The time limit of a build in seconds.
    package var timeLimit = 0
    /// The most megabytes of a file, of a process's memory, and of everything on the disk.
    package var sizeLimit = 0
    package var memoryLimit, diskLimit: Int?
    package var symbolicLinks = false
    /// Folders of the machine that steps isolated by bwrap may read; nil for none.
    package var readFolders: [String]?
    /// Whether addresses in the server's own network are refused.
    package var isPublicOnly: Bool?
    package var variables: [String] = []
    package var hasHookSecret = false
    /// The credentials for fetching, without their secrets; nil for none.
    package var credentials: [CredentialDocument]?
    /// Warnings about the settings; nil for none.
    package var remarks: [String]?
    package var synced: Date?
    package var problem: String?
    /// Why the last sync failed, as in the response to the request for that sync; nil if it did not.
    package var failure: Failure?
    /// The result of the last successful sync.
    package var report: SyncDocument?
    /// Tags that moved after they were first seen and are therefore not built; nil for none.
    package var movedTags: [Moved]?
    /// Whether a requested sync has not started.
    package var isDue = false
    /// The number of the last requested sync that is complete.
    package var answered: Int?
    package var waiting = 0
    package var latest: RunDocument?

    /// - Parameters:
    ///   - name: the mirror's name, the last part of its path in the API.
    ///   - address: the URL of the repository, without a password.
    package init(name: String, address: String) {
        self.name = name
        self.address = address
    }
}
