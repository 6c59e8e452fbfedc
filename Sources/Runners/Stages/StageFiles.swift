package import Identifiers
package import Mirrors

/// The files of a stage, which are in the folder of the mirror's logs.
extension MirrorFolders {
    /// The runner's output in an attempt, as it arrived; the server has acknowledged every byte of this
    /// file.
    package func stageLog(_ build: Int, attempt: Int, of mirror: Slug) -> String {
        log(build, of: mirror) + ".\(attempt).stage"
    }

    /// The ZIP archive that the runner uploads, as far as it has arrived.
    package func stageArchive(_ build: Int, attempt: Int, of mirror: Slug) -> String {
        log(build, of: mirror) + ".\(attempt).zip"
    }

    /// A ZIP archive of files of earlier steps, for the runner.
    package func stageInput(_ build: Int, of mirror: Slug) -> String {
        log(build, of: mirror) + ".input.zip"
    }
}
