import Bundles
import Bytes
import Essentials
import Identifiers
import Mirrors
import Publishing
import Releases
import Store
import Versions

/// The releases that testers have of a tag, after the tag was built again on another commit.
///
/// If as many commits lead to both, the new build has replaced the old one. Otherwise it has another build
/// number, and the old release of the same version would still be installable beside it.
struct SupersededReleases {
    let store: OTAStore
    let mirror: Mirror
    /// A rebuild that has published its artifacts.
    let run: MirrorRun
    let date: Date

    /// Withdraws the old releases, and promotes the new build on the channels that offered one of them.
    ///
    /// If the rebuild only used the tag's name for another commit, and the tag itself has not moved, the
    /// old releases stay.
    ///
    /// - Returns: what was done, or is left for the admin to do, as sentences without a full stop.
    func settle() throws -> [String] {
        guard run.isRebuild, let tag = run.tag else { return [] }
        let isTags = try isReference(of: tag)
        return try published().flatMap { new in
            try older(than: new, of: tag).map { old in
                isTags ? try withdraw(old, for: new, tag) : Self.note(on: old, tag)
            }
        }
    }

    /// Whether the tag is still on the commit: a build that was interrupted may end after the build of the
    /// commit to which the tag moved next.
    private func isReference(of tag: String) throws -> Bool {
        let reference = "refs/tags/\(tag)"
        guard run.reference == reference else { return false }
        let now = try store.mirrorState(mirror.name).references[reference]
        return now == nil || now == run.commit
    }

    private func published() throws -> [Release] {
        try run.artifacts.compactMap { artifact in
            guard artifact.outcome == .published,
                let app = artifact.app.flatMap({ BundleIdentifier($0) }),
                let release = artifact.release.flatMap({ ReleaseIdentifier($0) })
            else { return nil }
            return try store.release(release, of: app)
        }
    }

    /// The earlier releases of the tag that the same mirror built from other commits.
    private func older(than new: Release, of tag: String) throws -> [Release] {
        let app = new.bundleIdentifier
        return try store.releaseIdentifiers(of: app)
            .filter {
                $0 != new.identifier
                    && $0.rawValue.hasBytes(first: new.identifier.versionPrefix)
            }
            .compactMap { try store.release($0, of: app) }
            .filter { old in
                old.tag == tag && old.commit != run.commit && old.isBuiltHere == true
                    && old.publisher == mirror.publisher && old.withdrawal == nil
            }
    }

    /// Withdraws a release in the name of the user who requested the rebuild.
    private func withdraw(_ old: Release, for new: Release, _ tag: String) throws -> String {
        let app = old.bundleIdentifier
        let channels = try store.app(app)?.channels.filter { $0.value == old.identifier } ?? [:]
        // Promoted first, so that no channel is left without a build.
        for channel in channels.keys.sorted() {
            try store.promote(new.identifier, of: app, to: channel, by: run.actor, at: date)
        }
        let place =
            "tag \(tag) is on commit \(run.commit.shortCommit), not on "
            + "\(old.commit?.shortCommit ?? "the one that it was built of")"
        try store.withdraw(
            old.identifier,
            of: app,
            as: Release.Withdrawal(
                date: date,
                actor: run.actor,
                reason: "The \(place): \(new.identifier.words) replaces this build.",
            ),
        )
        return "\(old.identifier) of \(app) is withdrawn, because the \(place): `ota releases "
            + "restore \(app) \(old.identifier)` restores it, and `ota releases promote` puts it "
            + "on a channel"
    }

    private static func note(on old: Release, _ tag: String) -> String {
        "\(old.identifier) of \(old.bundleIdentifier), the earlier build of \(tag), stays "
            + "installable: `ota releases withdraw \(old.bundleIdentifier) \(old.identifier)` "
            + "withdraws it"
    }
}
