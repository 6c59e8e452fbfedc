package import Essentials

/// A mirror as scripts see it; no secret is in it, only whether there is one.
package struct MirrorDocument: Codable, Sendable, Equatable {
    /// Why the last sync failed, as the answer to a request for that sync says it.
    package struct Failure: Codable, Sendable, Equatable {
        /// Of the `Problem`.
        package let id: String
        /// What to do about it.
        package let fix: String

        package init(id: String, fix: String) {
            self.id = id
            self.fix = fix
        }
    }

    /// A tag that is on another commit than it was first seen on; an admin has to decide about it.
    package struct Moved: Codable, Sendable, Equatable {
        /// `v1.2.3`.
        package let tag: String
        /// Commits.
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
    /// The time limit of a build, in seconds.
    package var timeLimit = 0
    /// Megabytes of a file, of a process and of everything on the disk.
    package var sizeLimit = 0
    package var memoryLimit, diskLimit: Int?
    package var symbolicLinks = false
    /// Folders of the machine that steps behind bwrap may read; nil for none.
    package var readFolders: [String]?
    /// Whether addresses inside the server's network are refused.
    package var isPublicOnly: Bool?
    package var variables: [String] = []
    package var hasHookSecret = false
    /// The credentials that it fetches with, without their secrets; nil for none.
    package var credentials: [CredentialDocument]?
    /// What is odd about the settings; nil for nothing.
    package var remarks: [String]?
    package var synced: Date?
    package var problem: String?
    /// Why the last sync failed, as the answer to a request for that sync says it; nil if it did not fail.
    package var failure: Failure?
    /// The result of the last successful sync.
    package var report: SyncDocument?
    /// Tags that moved after they were first seen, and so are not built; nil for none.
    package var movedTags: [Moved]?
    /// Whether a requested sync has not begun.
    package var isDue = false
    /// The number of the last requested sync that is complete.
    package var answered: Int?
    package var waiting = 0
    package var latest: RunDocument?

    /// - Parameters:
    ///   - name: the mirror's name, the last part of its address in the API.
    ///   - address: of the repository, without a password.
    package init(name: String, address: String) {
        self.name = name
        self.address = address
    }
}
