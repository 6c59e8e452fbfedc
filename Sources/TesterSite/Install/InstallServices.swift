package import HTTPServing
package import Releases
import SiteServices
import Store

/// How installs are granted, proven and followed.
package struct InstallServices: Sendable {
    /// Makes and verifies the paths that grant an install.
    let capabilities: CapabilityAuthority
    /// Tracks what phones download.
    let tracker: InstallTracker
    let metrics: Metrics
    /// Bytes of a blob that is proven before it is given out for the first time.
    let provenAtOnce: Int
    /// Where phones fetch IPAs from.
    let downloads: DownloadPlace

    /// - Parameters:
    ///   - capabilities: makes and verifies the paths that grant an install.
    ///   - tracker: follows what phones fetch; it runs as a service of its own.
    ///   - metrics: count downloads.
    ///   - provenAtOnce: bytes of a blob that is proven before it is given out for the first time.
    ///   - downloads: where phones fetch IPAs from.
    package init(
        capabilities: CapabilityAuthority,
        tracker: InstallTracker,
        metrics: Metrics,
        provenAtOnce: Int,
        downloads: DownloadPlace,
    ) {
        self.capabilities = capabilities
        self.tracker = tracker
        self.metrics = metrics
        self.provenAtOnce = provenAtOnce
        self.downloads = downloads
    }

    /// Whether the release's IPA is not the one that was published; waits for the disk.
    ///
    /// A small one is proven now, where it was not yet; one elsewhere when a phone fetches it.
    func isRotten(_ release: Release, in store: OTAStore) throws -> Bool {
        var isProven = try store.isProven(release.sha256)
        if isProven == nil, release.size <= provenAtOnce, !store.isElsewhere {
            isProven = try store.prove(release.sha256)
        }
        return isProven == false
    }
}
