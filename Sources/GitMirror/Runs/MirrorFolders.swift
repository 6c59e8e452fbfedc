import Cryptography
import Foundation
package import Identifiers
import Releases

/// Where a mirror's repository, checkouts and logs are: under `mirrors/` in the store, outside of its
/// documents and of its backups.
package struct MirrorFolders: Sendable {
    /// The store's folder.
    let store: String
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

    var top: String { root }

    func repository(_ mirror: Slug) -> String { "\(root)/\(mirror).git" }

    /// Where the repositories of its submodules are.
    func submodules(of mirror: Slug) -> String { "\(root)/\(mirror).modules" }

    /// Held while the repository is fetched into.
    func fetchLock(_ mirror: Slug) -> String { "\(root)/\(mirror).fetch.lock" }

    /// Held while a build runs.
    func buildLock(_ mirror: Slug) -> String { "\(root)/\(mirror).build.lock" }

    /// The folders of a build.
    ///
    /// - Parameters:
    ///   - run: its number.
    ///   - mirror: its mirror.
    ///   - isOthers: whether it runs as another user, so that all folders above must let that one through.
    /// - Returns: them, whether they are there or not.
    func workspace(_ run: Int, of mirror: Slug, isOthers: Bool) -> Workspace {
        let top = isOthers ? othersWorkspaces : workspaces
        return Workspace(root: "\(top)/\(mirror).work/\(run)", isOthers: isOthers)
    }

    /// Removes the folders of a build that has ended, whichever user it ran as.
    func removeWorkspaces(of run: Int, of mirror: Slug) async {
        for isOthers in [false, true] {
            await workspace(run, of: mirror, isOthers: isOthers).remove()
        }
    }

    /// The log of a build that runs.
    package func log(_ run: Int, of mirror: Slug) -> String {
        "\(root)/\(mirror).logs/\(run).log"
    }

    /// Where a build's archive of Xcode's is packed, beside its log.
    func package(_ run: Int, of mirror: Slug) -> String {
        "\(root)/\(mirror).logs/\(run).ipa"
    }

    /// Everything of a mirror, for its removal.
    func all(of mirror: Slug) -> [String] {
        [
            repository(mirror), submodules(of: mirror), fetchLock(mirror), buildLock(mirror),
            "\(root)/\(mirror).logs", "\(workspaces)/\(mirror).work",
            "\(othersWorkspaces)/\(mirror).work",
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
