/// How much a repository may take of the disk and of the time.
package struct RepositoryLimits: Sendable, Equatable {
    /// Bytes of one pack, and of the files of one checkout.
    package var fileBytes: Int
    /// Files in a commit.
    package var files: Int
    /// Seconds for a fetch.
    package var fetchSeconds: Int

    package init(fileBytes: Int, files: Int, fetchSeconds: Int) {
        self.fileBytes = fileBytes
        self.files = files
        self.fetchSeconds = fetchSeconds
    }
}
