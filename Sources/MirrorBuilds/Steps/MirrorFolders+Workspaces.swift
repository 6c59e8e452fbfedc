import Identifiers
import Mirrors
import Releases

extension MirrorFolders {
    /// The folders of a build.
    ///
    /// - Parameters:
    ///   - run: the build's number.
    ///   - mirror: the build's mirror.
    ///   - isOthers: whether the build runs as another user, who must be able to pass through all folders
    ///     above.
    /// - Returns: the folders, whether they exist or not.
    func workspace(_ run: Int, of mirror: Slug, isOthers: Bool) -> Workspace {
        Workspace(
            root: "\(workspaces(of: mirror, isOthers: isOthers))/\(run)",
            isOthers: isOthers,
        )
    }

    /// Removes the folders of a build that has ended, whichever user it ran as.
    func removeWorkspaces(of run: Int, of mirror: Slug) async {
        for isOthers in [false, true] {
            await workspace(run, of: mirror, isOthers: isOthers).remove()
        }
    }
}
