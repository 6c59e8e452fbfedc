import Identifiers
import Mirrors
import Releases

extension MirrorFolders {
    /// The folders of a build.
    ///
    /// - Parameters:
    ///   - run: its number.
    ///   - mirror: its mirror.
    ///   - isOthers: whether it runs as another user, so that all folders above must let that one through.
    /// - Returns: them, whether they are there or not.
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
