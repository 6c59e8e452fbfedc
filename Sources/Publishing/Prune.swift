import Bundles
package import Essentials
package import Identifiers
import Releases
package import Store

/// Removes old releases of an app; their bytes go with the next `ota store gc`.
package struct Prune: Sendable {
    /// Releases to keep of each channel, newest first, beside what a channel points at and what is
    /// pinned; of those that the end of their channel withdrew, only what is pinned stays.
    package let keep: Int
    /// Whether releases that stay, and were signed again, lose the IPA that was published; without it
    /// they lose superseded signings alone.
    package let dropsOriginals: Bool
    package let isDryRun: Bool

    package init(keep: Int, dropsOriginals: Bool = false, isDryRun: Bool = false) {
        self.keep = max(0, keep)
        self.dropsOriginals = dropsOriginals
        self.isDryRun = isDryRun
    }

    /// - Returns: what was removed, or would be.
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
        // One that was promoted meanwhile stays.
        for release in old where try store.removeRelease(release, of: app, by: actor, at: date) {
            removed.append(release)
        }
        let files = try dropSuperseded(of: app, in: store, by: actor, at: date)
        return Pruned(releases: removed, files: files)
    }

    /// What a release that stays would lose.
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

    /// Gives up the bytes of signings that newer ones took the place of.
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
                // Removed meanwhile.
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
