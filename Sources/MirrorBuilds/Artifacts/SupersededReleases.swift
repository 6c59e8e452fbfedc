import Bundles
import Bytes
import Essentials
import Identifiers
import Mirrors
import Publishing
import Releases
import Store
import Versions

/// The builds that testers have of a tag, once it was built again on another commit.
///
/// Where as many commits lead to both, the new build has replaced the old one. Otherwise it has a number
/// of its own, and the old one of the same version could be installed beside it.
struct SupersededReleases {
    let store: OTAStore
    let mirror: Mirror
    /// A rebuild that has published what it made.
    let run: MirrorRun
    let date: Date

    /// Withdraws them, and lets channels that offered one offer the new build.
    ///
    /// Where another commit was only called after the tag, which stays where it is, they stay too.
    ///
    /// - Returns: what was done, or is left to be done, as sentences without their stop.
    func settle() throws -> [String] {
        guard run.isRebuild, let tag = run.tag else { return [] }
        let isTags = try isReference(of: tag)
        return try published().flatMap { new in
            try older(than: new, of: tag).map { old in
                isTags ? try withdraw(old, for: new, tag) : Self.note(on: old, tag)
            }
        }
    }

    /// Whether the tag is on the commit still: a build that was interrupted may come after that of where
    /// the tag went next.
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

    /// Those that the same mirror made of other commits.
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

    /// In the name of the user who asked for the rebuild.
    private func withdraw(_ old: Release, for new: Release, _ tag: String) throws -> String {
        let app = old.bundleIdentifier
        let channels = try store.app(app)?.channels.filter { $0.value == old.identifier } ?? [:]
        // First, so that none of them is left without a build.
        for channel in channels.keys.sorted() {
            try store.promote(new.identifier, of: app, to: channel, by: run.actor, at: date)
        }
        let place =
            "tag \(tag) is on commit \(run.commit.shortCommit) and not on "
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
