/// The limits of a repository's size and of the time of a fetch.
package struct RepositoryLimits: Sendable, Equatable {
    /// Bytes of one pack, and of all files of one checkout together.
    package var fileBytes: Int
    /// The number of files in a commit.
    package var files: Int
    /// Seconds for a fetch.
    package var fetchSeconds: Int

    package init(fileBytes: Int, files: Int, fetchSeconds: Int) {
        self.fileBytes = fileBytes
        self.files = files
        self.fetchSeconds = fetchSeconds
    }
}
