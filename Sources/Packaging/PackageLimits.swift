import Zip

/// How much an app may hold; the same as what a server takes.
package struct PackageLimits: Sendable {
    package var entries: Int
    /// Of all files together.
    package var bytes: Int

    package init(entries: Int = ZipLimits.ipa.entries, bytes: Int = ZipLimits.ipa.totalSize) {
        self.entries = entries
        self.bytes = bytes
    }
}
