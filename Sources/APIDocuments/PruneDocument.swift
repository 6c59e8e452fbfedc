/// What pruning removed, or would remove.
package struct PruneDocument: Codable, Equatable, Sendable {
    package var schema = 1
    /// The names of releases.
    package let removed: [String]
    /// What the releases that stay no longer keep; nil from older servers.
    package let files: [File]?
    package let dryRun: Bool

    /// An IPA that a newer signing took the place of.
    package struct File: Codable, Equatable, Sendable {
        package let release, sha256: String
        /// Bytes.
        package let size: Int
        /// Whether it is the one that was published.
        package let isOriginal: Bool

        package init(release: String, sha256: String, size: Int, isOriginal: Bool) {
            self.release = release
            self.sha256 = sha256
            self.size = size
            self.isOriginal = isOriginal
        }
    }

    package init(removed: [String], files: [File], dryRun: Bool) {
        self.removed = removed
        self.files = files
        self.dryRun = dryRun
    }
}
