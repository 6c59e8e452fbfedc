package import Identifiers
package import Mirrors

/// The files of a stage beside its document, in the folder of the mirror's logs.
extension MirrorFolders {
    /// What the runner has printed in an attempt, as it came; as long as this file is, the runner was told
    /// that the server has it.
    package func stageLog(_ build: Int, attempt: Int, of mirror: Slug) -> String {
        log(build, of: mirror) + ".\(attempt).stage"
    }

    /// The ZIP archive that the runner hands in, as far as it has come.
    package func stageArchive(_ build: Int, attempt: Int, of mirror: Slug) -> String {
        log(build, of: mirror) + ".\(attempt).zip"
    }

    /// A ZIP archive of files of earlier steps, for the runner.
    package func stageInput(_ build: Int, of mirror: Slug) -> String {
        log(build, of: mirror) + ".input.zip"
    }
}
