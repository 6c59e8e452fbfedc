import Bundles
import Bytes
package import Essentials
package import GitRepositories
package import Identifiers
import Releases
package import Versions

/// A repository that the server follows, and how its builds are run: one entry of `mirrors.json`.
package struct Mirror: Codable, Sendable, Equatable {
    package let name: Slug
    package var address: MirrorAddress
    package let added: Date
    package let addedBy: String
    /// Which tags are built, if they name a version.
    package var tags: [ReferencePattern]
    /// Which branches are built, as `dev`.
    package var branches: [ReferencePattern]
    /// Which apps its builds may publish, by bundle identifier; nil for any.
    package var apps: [ReferencePattern]?
    /// The prefix of this app's tags, in a repository of several apps: `browsey/`.
    package var prefix: String?
    /// The path of the pipeline in the repository.
    package var pipelinePath = Self.defaultPipelinePath
    /// The admin's own pipeline, which replaces the repository's.
    package var pipeline: String?
    /// Seconds between two syncs; nil to sync only on webhooks and commands.
    package var interval: Int?
    /// The system user that steps run as; nil for the server's.
    package var user: String?
    package var isolation = Isolation.none
    /// Whether steps have network access, if `bwrap` isolates them.
    package var allowsNetwork = true
    /// The references whose builds receive the secrets, such as `tags/v*` and `heads/main`; no pattern
    /// should match what strangers may push.
    package var trusted: [ReferencePattern]
    package var makesSymbolicLinks = false
    package var limits = MirrorLimits()
    package var isPaused = false
    /// Which submodules are checked out; nil for none.
    package var submodules: SubmodulePolicy?
    /// Whether addresses inside the server's own network are refused when the repository is fetched; nil
    /// for no.
    package var isPublicOnly: Bool?
    /// Folders of the machine that steps isolated by `bwrap` may read; nil for none.
    package var readableFolders: [String]?

    package enum Isolation: String, WordCoded, Sendable {
        /// A session of its own, with resource limits.
        case none
        /// Also namespaces of its own: the build sees no other processes, and only the system's files and
        /// its own.
        case bwrap
    }

    package static let defaultPipelinePath = ".ota/pipeline.yml"

    package init(
        name: Slug,
        address: MirrorAddress,
        added: Date,
        by actor: String,
        tags: [ReferencePattern],
        branches: [ReferencePattern],
    ) {
        self.name = name
        self.address = address
        self.added = added
        addedBy = actor
        self.tags = tags
        self.branches = branches
        trusted = Self.trusted(tags: tags, branches: branches)
    }

    /// The name under which its builds are published, in the activity and in releases.
    package var publisher: String { "mirror \(name)" }

    /// Throws if the mirror is paused; every sync, build request and push is checked with this.
    ///
    /// A build that is running continues to its end; queued builds stay queued.
    ///
    /// - Throws: ``MirrorRefusal/paused(_:)``.
    package func checkInUse() throws(MirrorRefusal) {
        guard !isPaused else { throw .paused(name) }
    }

    /// Whether the mirror's builds may publish an app.
    package func publishes(_ app: BundleIdentifier) -> Bool {
        apps?.match(app.rawValue) ?? true
    }

    /// Whether builds of a reference, given by its full name, receive the secrets.
    package func trusts(_ reference: String) -> Bool {
        reference.droppingPrefix("refs/").map(trusted.match) ?? false
    }

    /// The version as which the tag of a full name is built; nil if it is not built as one.
    package func version(of reference: String) -> Version? {
        guard let name = try? TagName(reference: reference), tags.match(name.rawValue) else {
            return nil
        }
        return (try? VersionTag(name, prefix: prefix))?.version
    }

    /// Warnings about the settings: that no tag can ever be built.
    package var remarks: [String] {
        guard let prefix, !tags.isEmpty,
            !tags.contains(where: { $0.canMatch(namesBeginningWith: prefix) })
        else { return [] }
        let patterns = tags.map { "\(quoted: $0.description)" }.joined(separator: " or ")
        return [
            "no tag can be built: it would have to match \(patterns) and begin with "
                + "\(quoted: prefix); give --tag \"\(prefix)*\", or another --prefix"
        ]
    }

    /// The default for ``trusted``: everything that is built automatically.
    package static func trusted(
        tags: [ReferencePattern],
        branches: [ReferencePattern],
    ) -> [ReferencePattern] {
        tags.compactMap { ReferencePattern("tags/\($0)") }
            + branches.compactMap { ReferencePattern("heads/\($0)") }
    }

    package static let defaultTags = [ReferencePattern("*")].compactMap(\.self)
    package static let defaultBranches = ["main", "master"].compactMap(ReferencePattern.init)
}

/// The limits of a mirror's repository and its builds.
package struct MirrorLimits: Codable, Sendable, Equatable {
    /// Bytes of one pack, of all files of a checkout together, and of one file that a build writes.
    package var fileBytes = 4 << 30
    /// The number of files in a commit.
    package var files = 200_000
    /// Seconds for a fetch.
    package var fetchSeconds = 600
    /// Seconds for a whole build.
    package var buildSeconds = 3600
    /// Bytes of a build's log.
    package var logBytes = 16 << 20
    package var processes = 4096
    /// Bytes of address space per process; nil for no limit.
    package var memory: Int?
    /// Bytes that a build may occupy on the disk in total; nil for ``defaultDiskBytes``.
    package var diskBytes: Int?

    package static let defaultDiskBytes = 20 << 30

    package init() {}

    /// The limits of the repository alone.
    package var ofRepository: RepositoryLimits {
        RepositoryLimits(fileBytes: fileBytes, files: files, fetchSeconds: fetchSeconds)
    }
}

/// All mirrors: `mirrors.json`.
package struct MirrorRegister: Codable, Sendable, Equatable {
    package var schema = 1
    package private(set) var mirrors: [Mirror] = []
    package static let countLimit = 200

    package init() {}

    package subscript(name: Slug) -> Mirror? {
        mirrors.first { $0.name == name }
    }

    /// - Throws: ``MirrorRefusal`` if the name is taken or there are too many mirrors.
    package mutating func add(_ mirror: Mirror) throws(MirrorRefusal) {
        guard self[mirror.name] == nil else { throw .nameTaken(mirror.name) }
        guard mirrors.count < Self.countLimit else { throw .tooMany(Self.countLimit) }
        mirrors.append(mirror)
        mirrors.sort { $0.name.rawValue < $1.name.rawValue }
    }

    /// - Throws: ``MirrorRefusal/unknown(_:)``.
    package mutating func change(
        _ name: Slug,
        _ change: (inout Mirror) -> Void,
    ) throws(MirrorRefusal) {
        guard let index = mirrors.firstIndex(where: { $0.name == name }) else {
            throw .unknown(name.rawValue)
        }
        change(&mirrors[index])
    }

    /// - Throws: ``MirrorRefusal/unknown(_:)``.
    @discardableResult
    package mutating func remove(_ name: Slug) throws(MirrorRefusal) -> Mirror {
        guard let index = mirrors.firstIndex(where: { $0.name == name }) else {
            throw .unknown(name.rawValue)
        }
        return mirrors.remove(at: index)
    }
}
