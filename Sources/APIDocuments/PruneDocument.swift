/// The result of pruning: what it removed, or would remove.
package struct PruneDocument: Codable, Equatable, Sendable {
    package var schema = 1
    /// The removed releases.
    package let removed: [String]
    /// Files that were removed from releases that stay; nil from older servers.
    package let files: [File]?
    package let dryRun: Bool

    /// An IPA that was superseded by a newer signing.
    package struct File: Codable, Equatable, Sendable {
        package let release, sha256: String
        /// In bytes.
        package let size: Int
        /// Whether it is the IPA that was published.
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
