import Bundles
package import Essentials
package import Identifiers
import Releases
package import Store

/// Removes old releases of an app; the next `ota store gc` deletes their files.
package struct Prune: Sendable {
    /// The number of releases to keep of each channel, newest first, in addition to those that a channel
    /// offers and pinned ones.
    ///
    /// Of releases that were withdrawn when their channel ended, only pinned ones are kept.
    package let keep: Int
    /// Whether kept releases that were signed again lose the IPA that was published; otherwise they lose
    /// only superseded signings.
    package let dropsOriginals: Bool
    package let isDryRun: Bool

    package init(keep: Int, dropsOriginals: Bool = false, isDryRun: Bool = false) {
        self.keep = max(0, keep)
        self.dropsOriginals = dropsOriginals
        self.isDryRun = isDryRun
    }

    /// - Returns: what was removed or, in a dry run, would be.
    @discardableResult
    package func run(
        on app: BundleIdentifier,
        in store: OTAStore,
        by actor: String,
        at date: Date,
    ) throws -> Pruned {
        let old = try surplus(of: app, in: store)
        guard !isDryRun else {
            let kept = try store.releases(of: app).filter { !old.contains($0.identifier) }
            return Pruned(releases: old, files: kept.flatMap(superseded))
        }
        var removed: [ReleaseIdentifier] = []
        // A release that was promoted in the meantime stays.
        for release in old where try store.removeRelease(release, of: app, by: actor, at: date) {
            removed.append(release)
        }
        let files = try dropSuperseded(of: app, in: store, by: actor, at: date)
        return Pruned(releases: removed, files: files)
    }

    /// The archives that a kept release would lose.
    private func superseded(of release: Release) -> [PrunedFile] {
        release.superseded(withOriginal: dropsOriginals).map { archive in
            PrunedFile(
                release: release.identifier,
                sha256: archive.sha256,
                size: archive.size,
                isOriginal: archive.sha256 == release.original.sha256,
            )
        }
    }

    /// Removes the archives of superseded signings from kept releases.
    private func dropSuperseded(
        of app: BundleIdentifier,
        in store: OTAStore,
        by actor: String,
        at date: Date,
    ) throws -> [PrunedFile] {
        var all: [PrunedFile] = []
        for release in try store.releases(of: app) where release.signings != nil {
            var files: [PrunedFile] = []
            do {
                _ = try store.changeRelease(release.identifier, of: app) {
                    files = superseded(of: $0)
                    $0.dropSuperseded(withOriginal: dropsOriginals)
                } recording: {
                    files.map { $0.activity(of: app, by: actor, at: date) }
                }
                all += files
            } catch ReleaseRefusal.unknownRelease {
                // The release was removed in the meantime.
            }
        }
        return all
    }

    private func surplus(
        of app: BundleIdentifier,
        in store: OTAStore,
    ) throws -> [ReleaseIdentifier] {
        guard let record = try store.app(app) else {
            throw ReleaseRefusal.unknownApp(app.rawValue)
        }
        let offered = Set(record.channels.values)
        let channels = Dictionary(grouping: try store.releases(of: app), by: \.channel)
        return channels.keys.sorted().flatMap { channel in
            let all = channels[channel] ?? []
            let ended = all.filter { $0.withdrawal?.endedChannel != nil }
            let old = all.filter { $0.withdrawal?.endedChannel == nil }
                .sorted { $0.published > $1.published }
                .dropFirst(keep)
            return (old + ended).filter { $0.pin == nil }.map(\.identifier).filter {
                !offered.contains($0)
            }
        }
    }
}
