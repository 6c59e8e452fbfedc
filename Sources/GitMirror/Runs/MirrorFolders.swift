package import Releases

/// Where a mirror's repository, checkouts and logs are: under `mirrors/` in the store, outside of its
/// documents and of its backups.
package struct MirrorFolders: Sendable {
    private let root: String
    /// Where checkouts go, for users who cannot enter the store.
    private let workspaces: String

    /// - Parameters:
    ///   - store: the store's folder, absolute.
    ///   - workspaces: another folder for checkouts.
    package init(store: String, workspaces: String? = nil) {
        root = store + "/mirrors"
        self.workspaces = workspaces ?? root
    }

    var top: String { root }

    func repository(_ mirror: Slug) -> String { "\(root)/\(mirror).git" }

    /// Where the repositories of its submodules are.
    func submodules(of mirror: Slug) -> String { "\(root)/\(mirror).modules" }

    /// Held while the repository is fetched into.
    func fetchLock(_ mirror: Slug) -> String { "\(root)/\(mirror).fetch.lock" }

    /// Held while a build runs.
    func buildLock(_ mirror: Slug) -> String { "\(root)/\(mirror).build.lock" }

    func workspace(_ run: Int, of mirror: Slug) -> Workspace {
        Workspace(root: "\(workspaces)/\(mirror).work/\(run)")
    }

    /// The log of a build that runs.
    package func log(_ run: Int, of mirror: Slug) -> String {
        "\(root)/\(mirror).logs/\(run).log"
    }

    /// Everything of a mirror, for its removal.
    func all(of mirror: Slug) -> [String] {
        [
            repository(mirror), submodules(of: mirror), fetchLock(mirror), buildLock(mirror),
            "\(root)/\(mirror).logs", "\(workspaces)/\(mirror).work",
        ]
    }
}
