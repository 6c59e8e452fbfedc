import Zip

/// Limits for an app, the same as a server's.
package struct PackageLimits: Sendable {
    package var entries: Int
    /// The maximum size of all files together in bytes.
    package var bytes: Int

    package init(entries: Int = ZipLimits.ipa.entries, bytes: Int = ZipLimits.ipa.totalSize) {
        self.entries = entries
        self.bytes = bytes
    }
}
