import Cryptography
import Essentials
package import Identifiers
import Releases
package import Store

/// The locations of a mirror's repository, checkouts and logs.
///
/// They are under `mirrors/` in the store, apart from its documents and not in its backups; for a store in
/// a bucket, they are in the spool of the server that does the work.
package struct MirrorFolders: Sendable {
    /// The store's folder, or the spool.
    package let store: String
    private let root: String
    private let workspaces: String
    /// The folder of checkouts for builds that run as another user, who cannot enter the store.
    private let othersWorkspaces: String

    /// - Parameters:
    ///   - store: the store's folder, absolute.
    ///   - workspaces: another folder for checkouts.
    package init(store: String, workspaces: String? = nil) {
        self.store = store
        root = store + "/mirrors"
        self.workspaces = workspaces ?? root
        // A separate folder for each store, by whichever path the store was opened.
        let real = URL(filePath: store).resolvingSymlinksInPath().path(percentEncoded: false)
        let name = SHA256Digest(of: Array(real.trimmingSlash.utf8)).description.prefix(16)
        othersWorkspaces = workspaces ?? "/var/tmp/ota-builds-\(name)"
    }

    /// The folders beside a store's documents; for a bucket they are on this machine, and missing ones are
    /// created again.
    ///
    /// - Throws: ``MirrorRefusal/noFolder`` for a store without a folder on this machine, such as one in
    ///   memory.
    package init(of store: OTAStore) throws(MirrorRefusal) {
        guard let folder = store.workFolder else { throw .noFolder }
        self.init(store: folder.root)
    }

    package var top: String { root }

    package func repository(_ mirror: Slug) -> String { "\(root)/\(mirror).git" }

    /// The folder of the repositories of the mirror's submodules.
    package func submodules(of mirror: Slug) -> String { "\(root)/\(mirror).modules" }

    /// The lock that is held while the repository is fetched.
    package func fetchLock(_ mirror: Slug) -> String { "\(root)/\(mirror).fetch.lock" }

    /// The lock that is held while a build runs.
    package func buildLock(_ mirror: Slug) -> String { "\(root)/\(mirror).build.lock" }

    /// The folder with the workspaces of builds.
    ///
    /// - Parameters:
    ///   - mirror: the builds' mirror.
    ///   - isOthers: whether the builds run as another user, who must be able to pass through all folders
    ///     above.
    /// - Returns: an absolute path, whether the folder exists or not.
    package func workspaces(of mirror: Slug, isOthers: Bool) -> String {
        "\(isOthers ? othersWorkspaces : workspaces)/\(mirror).work"
    }

    /// The log of a running build.
    package func log(_ run: Int, of mirror: Slug) -> String {
        "\(root)/\(mirror).logs/\(run).log"
    }

    /// The path to which a build's Xcode archive is packed, beside its log.
    package func package(_ run: Int, of mirror: Slug) -> String {
        "\(root)/\(mirror).logs/\(run).ipa"
    }

    /// The folder in which bundles of commits are made for runners, each in a folder of its own.
    package func bundles(of mirror: Slug) -> String { "\(root)/\(mirror).bundles" }

    /// Everything of a mirror, for its removal.
    package func all(of mirror: Slug) -> [String] {
        [
            repository(mirror), submodules(of: mirror), fetchLock(mirror), buildLock(mirror),
            "\(root)/\(mirror).logs", bundles(of: mirror), workspaces(of: mirror, isOthers: false),
            workspaces(of: mirror, isOthers: true),
        ]
    }
}

extension String {
    /// Without trailing slashes.
    fileprivate var trimmingSlash: String {
        var text = self[...]
        while text.utf8.count > 1, text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
        return String(text)
    }
}
