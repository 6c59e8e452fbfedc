import Cryptography
import Essentials
package import Identifiers
import Releases
package import Store

/// Where a mirror's repository, checkouts and logs are: under `mirrors/` in the store, outside of its
/// documents and of its backups; of a store in a bucket in the spool of the server that has the work.
package struct MirrorFolders: Sendable {
    /// The store's folder, or the spool.
    package let store: String
    private let root: String
    private let workspaces: String
    /// Where the checkouts of builds go that run as another user, who cannot enter the store.
    private let othersWorkspaces: String

    /// - Parameters:
    ///   - store: the store's folder, absolute.
    ///   - workspaces: another folder for checkouts.
    package init(store: String, workspaces: String? = nil) {
        self.store = store
        root = store + "/mirrors"
        self.workspaces = workspaces ?? root
        // Of each store its own, whatever it was called by.
        let real = URL(filePath: store).resolvingSymlinksInPath().path(percentEncoded: false)
        let name = SHA256Digest(of: Array(real.trimmingSlash.utf8)).description.prefix(16)
        othersWorkspaces = workspaces ?? "/var/tmp/ota-builds-\(name)"
    }

    /// The folders beside a store's documents; for a bucket they are on this machine, and missing
    /// ones are created again.
    ///
    /// - Throws: ``MirrorRefusal/noFolder`` for a store that has none on this machine, as one in memory.
    package init(of store: OTAStore) throws(MirrorRefusal) {
        guard let folder = store.workFolder else { throw .noFolder }
        self.init(store: folder.root)
    }

    package var top: String { root }

    package func repository(_ mirror: Slug) -> String { "\(root)/\(mirror).git" }

    /// Where the repositories of its submodules are.
    package func submodules(of mirror: Slug) -> String { "\(root)/\(mirror).modules" }

    /// Held while the repository is fetched into.
    package func fetchLock(_ mirror: Slug) -> String { "\(root)/\(mirror).fetch.lock" }

    /// Held while a build runs.
    package func buildLock(_ mirror: Slug) -> String { "\(root)/\(mirror).build.lock" }

    /// Where the folders of builds are.
    ///
    /// - Parameters:
    ///   - mirror: whose builds.
    ///   - isOthers: whether they run as another user, who must be let through all folders above.
    /// - Returns: an absolute path, whether it is there or not.
    package func workspaces(of mirror: Slug, isOthers: Bool) -> String {
        "\(isOthers ? othersWorkspaces : workspaces)/\(mirror).work"
    }

    /// The log of a build that runs.
    package func log(_ run: Int, of mirror: Slug) -> String {
        "\(root)/\(mirror).logs/\(run).log"
    }

    /// Where a build's archive of Xcode's is packed, beside its log.
    package func package(_ run: Int, of mirror: Slug) -> String {
        "\(root)/\(mirror).logs/\(run).ipa"
    }

    /// Where bundles of commits are made for runners, each in a folder of its own.
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
    /// Without slashes at its end.
    fileprivate var trimmingSlash: String {
        var text = self[...]
        while text.utf8.count > 1, text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
        return String(text)
    }
}
