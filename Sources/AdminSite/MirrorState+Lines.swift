import APIDocuments
import Administration
import Foundation
import MirrorBuilds
import Mirrors
import Notices
import Pages
import Releases
import Versions

private let shownTags = 20

/// A mirror's state as its pages show it.
extension MirrorState {
    /// Returns when the mirror was last synced, and with which result.
    func syncStatus(_ mirror: Mirror, at now: Date) -> String {
        if mirror.isPaused { return "paused" }
        guard let date = synced else { return isDue ? "first sync is due" : "not synced yet" }
        let when = Wording.ago(date, at: now)
        return problem.map { "sync failed \(when): \($0)" } ?? "synced \(when)"
    }

    /// Tags that moved, until an admin tags or builds again, and tags that the last sync found deleted.
    var notices: [MirrorPage.Notice] {
        let moved = MovedTag.all(of: self).prefix(shownTags).map { tag in
            MirrorPage.Notice(
                "The tag \(tag.tag) has moved from \(tag.from.shortCommit) to "
                    + "\(tag.to.shortCommit). The server does not build it, so that testers keep "
                    + "what they have under that version. Tag a later version, or build this tag "
                    + "again and replace its release.",
                rebuilds: .init(tag: tag.tag, commit: tag.to),
            )
        }
        let gone = (report?.changes ?? []).filter { $0.isTag && $0.kind == .deleted }
        return moved
            + gone.prefix(shownTags).map {
                MirrorPage.Notice(
                    "The tag \($0.name) was deleted; it pointed to \(($0.from ?? "").shortCommit)."
                )
            }
    }

    /// Returns the mirror's settings, as rows of a table.
    func facts(_ mirror: Mirror, _ visit: AdminRequest) throws -> [MirrorPage.Fact] {
        let secrets = try visit.store.secrets(of: mirror.name)
        let names = secrets.variables.keys.sorted().joined(separator: ", ")
        let credentials = CredentialDocument.all(of: secrets).map(\.words).joined(separator: ", ")
        let looks =
            [
                mirror.interval.map { MirrorForm.words(forInterval: $0) },
                secrets.hook.map { _ in "by webhook" },
            ]
            .compactMap(\.self).joined(separator: " and ")
        return [
            .init(
                "Last synced",
                synced.map { Wording.ago($0, at: visit.now) }
                    ?? (isDue && !mirror.isPaused ? "not yet; the first sync is due" : "not yet"),
            ),
            .init("Syncs", looks.isEmpty ? "only on demand" : looks),
            .init("Tags", mirror.tags.map(\.description).joined(separator: ", ")),
            .init("Branches", mirror.branches.map(\.description).joined(separator: ", ")),
            .init("Prefix", mirror.prefix ?? "none"),
            .init("Apps", mirror.apps?.map(\.description).joined(separator: ", ") ?? "any"),
            .init("Pipeline", mirror.pipeline == nil ? mirror.pipelinePath : "set by an admin"),
            .init("Runs as", mirror.user ?? "the server's user"),
            .init("Isolation", mirror.isolation.rawValue),
            .init("Fetches with", credentials.isEmpty ? "no credential" : credentials),
            .init("Secrets", names.isEmpty ? "none" : names),
        ]
    }
}

extension Mirror {
    /// The reason why the mirror is paused; empty if it is in use.
    ///
    /// The page has a button that resumes it.
    var pauseNotices: [MirrorPage.Notice] {
        do throws(MirrorRefusal) {
            try checkInUse()
            return []
        } catch {
            return [MirrorPage.Notice(Wording.sentence("\(error)"))]
        }
    }

    /// Returns the page's text in place of an empty list of builds.
    ///
    /// - Parameter state: says whether the mirror was synced, after which pushes are built.
    /// - Returns: one or two sentences.
    func emptiness(_ state: MirrorState) -> String {
        if isPaused { return "No builds yet." }
        guard state.hasSynced else {
            return "No builds yet. The server builds what you push after the first sync."
        }
        return "No builds yet. The server builds what you push from now on."
    }
}
