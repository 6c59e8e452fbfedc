import Bundles
import Bytes
package import Essentials
package import GitRepositories
package import Identifiers
import Releases
package import Versions

/// A repository that is followed, and how its builds are run: one entry of `mirrors.json`.
package struct Mirror: Codable, Sendable, Equatable {
    package let name: Slug
    package var address: MirrorAddress
    package let added: Date
    package let addedBy: String
    /// Which tags are built, when they name a version.
    package var tags: [ReferencePattern]
    /// Which branches are built, as `dev`.
    package var branches: [ReferencePattern]
    /// Which apps its builds may publish, by bundle identifier; nil for any.
    package var apps: [ReferencePattern]?
    /// What the tags of this app begin with, in a repository of several: `browsey/`.
    package var prefix: String?
    /// Where the pipeline is in the repository.
    package var pipelinePath = Self.defaultPipelinePath
    /// The admin's own pipeline, in place of the repository's.
    package var pipeline: String?
    /// Seconds between two syncs; nil for webhooks and commands alone.
    package var interval: Int?
    /// A user of the system that steps run as.
    package var user: String?
    package var isolation = Isolation.none
    /// Whether steps reach the network, where `bwrap` keeps them apart.
    package var allowsNetwork = true
    /// Which references are given the secrets, such as `tags/v*` and `heads/main`; nothing that
    /// strangers may push should match.
    package var trusted: [ReferencePattern]
    package var makesSymbolicLinks = false
    package var limits = MirrorLimits()
    package var isPaused = false
    /// Which submodules are checked out; nil for none.
    package var submodules: SubmodulePolicy?
    /// Whether addresses inside the server's own network are refused when it is fetched; nil for no.
    package var isPublicOnly: Bool?
    /// Folders of the machine that steps behind `bwrap` may read; nil for none.
    package var readableFolders: [String]?

    package enum Isolation: String, WordCoded, Sendable {
        /// A session of its own, with limits.
        case none
        /// Namespaces of their own too: no other process, no file but the system's and its own.
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

    /// The name of the publisher of its builds, in the activity and in releases.
    package var publisher: String { "mirror \(name)" }

    /// Refuses what a mirror does not do while it is paused, from every caller: it is neither synced nor
    /// built, and takes no pushes.
    ///
    /// A build that is running continues to its end; queued builds stay queued.
    ///
    /// - Throws: ``MirrorRefusal/paused(_:)``.
    package func checkInUse() throws(MirrorRefusal) {
        guard !isPaused else { throw .paused(name) }
    }

    /// Whether its builds may publish an app.
    package func publishes(_ app: BundleIdentifier) -> Bool {
        apps?.match(app.rawValue) ?? true
    }

    /// Whether builds of a reference, by its full name, are given the secrets.
    package func trusts(_ reference: String) -> Bool {
        reference.droppingPrefix("refs/").map(trusted.match) ?? false
    }

    /// The version that the tag of a full name is built as; nil for what is not built as one.
    package func version(of reference: String) -> Version? {
        guard let name = try? TagName(reference: reference), tags.match(name.rawValue) else {
            return nil
        }
        return (try? VersionTag(name, prefix: prefix))?.version
    }

    /// What an admin should know of the settings: that no tag can ever be built.
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

    /// What is built by itself is trusted, unless the admin says otherwise.
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

/// What a mirror's repository and its builds may take.
package struct MirrorLimits: Codable, Sendable, Equatable {
    /// Bytes of one pack, and of one file of a build.
    package var fileBytes = 4 << 30
    /// Files in a commit.
    package var files = 200_000
    /// Seconds for a fetch.
    package var fetchSeconds = 600
    /// Seconds for a whole build.
    package var buildSeconds = 3600
    /// Bytes of a build's log.
    package var logBytes = 16 << 20
    package var processes = 4096
    /// Bytes of address space per process; nil for any.
    package var memory: Int?
    /// Bytes of everything that a build has on the disk; nil for ``defaultDiskBytes``.
    package var diskBytes: Int?

    package static let defaultDiskBytes = 20 << 30

    package init() {}

    /// As far as they are about the repository alone.
    package var ofRepository: RepositoryLimits {
        RepositoryLimits(fileBytes: fileBytes, files: files, fetchSeconds: fetchSeconds)
    }
}

/// Every mirror: `mirrors.json`.
package struct MirrorRegister: Codable, Sendable, Equatable {
    package var schema = 1
    package private(set) var mirrors: [Mirror] = []
    package static let countLimit = 200

    package init() {}

    package subscript(name: Slug) -> Mirror? {
        mirrors.first { $0.name == name }
    }

    /// - Throws: ``MirrorRefusal`` for a name that is taken, and for too many.
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
