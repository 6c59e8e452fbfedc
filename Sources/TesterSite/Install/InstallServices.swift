package import HTTPServing
package import Releases
import SiteServices
import Store

/// The services that grant, check and track installs.
package struct InstallServices: Sendable {
    /// Creates and verifies the paths that grant an install.
    let capabilities: CapabilityAuthority
    /// Tracks what phones download.
    let tracker: InstallTracker
    let metrics: Metrics
    /// The greatest size in bytes of a blob that is checked before it is first served.
    let provenAtOnce: Int
    /// Where phones fetch IPAs from.
    let downloads: DownloadPlace

    /// - Parameters:
    ///   - capabilities: creates and verifies the paths that grant an install.
    ///   - tracker: tracks what phones download; it runs as a separate service.
    ///   - metrics: counts downloads.
    ///   - provenAtOnce: the greatest size in bytes of a blob that is checked before it is first served.
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

    /// Returns whether the release's IPA is damaged; may block on the disk.
    ///
    /// A small one is checked now, if it has not been yet; one in a remote store when a phone fetches it.
    func isRotten(_ release: Release, in store: OTAStore) throws -> Bool {
        var isProven = try store.isProven(release.sha256)
        if isProven == nil, release.size <= provenAtOnce, !store.isElsewhere {
            isProven = try store.prove(release.sha256)
        }
        return isProven == false
    }
}
