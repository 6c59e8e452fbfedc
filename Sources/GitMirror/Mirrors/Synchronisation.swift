import Bytes
import Foundation
import Releases
import Store
import Versions

/// Brings a mirror up to date, and queues what that asks for.
package struct Synchronisation: Sendable {
    private let place: BuildPlace
    private let mirror: Mirror
    private let actor: String

    /// `actor` is who wants it: a person, `schedule` or `webhook`.
    package init(of mirror: Mirror, in place: BuildPlace, by actor: String) {
        self.mirror = mirror
        self.place = place
        self.actor = actor
    }

    /// Fetches, compares with the look before, and queues builds of new tags and moved branches.
    ///
    /// The first look builds nothing: what was there before the mirror is history. A tag that is on
    /// another commit than it was first seen on is said, and not built.
    ///
    /// - Throws: ``GitFailure`` and ``ProcessFailure``, which are kept for `ota mirror show` too;
    ///   ``MirrorRefusal/busy(_:)`` while another look goes on; ``StoreFailure``.
    package func run(
        progress: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil
    ) async throws -> SyncReport {
        guard let lock = try FileLock(place.folders.fetchLock(mirror.name)) else {
            throw MirrorRefusal.busy(mirror.name)
        }
        defer { withExtendedLifetime(lock) {} }
        // Whatever is pushed from here on asks for another look.
        let wasDue = try place.store.following(mirror.name).isDue
        if wasDue { try place.store.changeFollowing(mirror.name) { $0.isDue = false } }
        do {
            let references = try await fetched(progress)
            return try compare(references)
        } catch {
            try note(error, isDue: wasDue)
            throw error
        }
    }

    private func fetched(
        _ progress: (@Sendable (ArraySlice<UInt8>) -> Void)?
    ) async throws -> [BareRepository.Reference] {
        let repository = place.repository(of: mirror)
        try await repository.prepare()
        let secrets = try place.store.secrets(of: mirror.name)
        try await secrets.withCredential(in: place.folders.top) { credential in
            try await repository.fetch(
                from: mirror.address,
                credential: credential,
                surroundings: place.surroundings,
                progress: progress,
            )
        }
        return try await repository.references()
    }

    /// What was asked for and failed stays to be done.
    private func note(_ failure: any Error, isDue: Bool) throws {
        let isStopped = failure is CancellationError
        let now = place.now
        let words = PrintableText(escaping: "\(failure)", limit: 500).text
        try place.store.changeFollowing(mirror.name) { following in
            if isDue { following.isDue = true }
            guard !isStopped else { return }
            following.looked = now
            following.problem = words
        }
    }

    private func compare(_ references: [BareRepository.Reference]) throws -> SyncReport {
        let before = try place.store.following(mirror.name)
        let isFirst = !before.hasLooked
        let changes = ReferenceChange.between(before.references, references)
        var remarks: [String] = []
        var queued: [MirrorRun] = []
        if !isFirst {
            let tagged = Set(references.compactMap { versionTag($0.name) == nil ? nil : $0.commit })
            for change in changes {
                let request = request(for: change, before, tagged, &remarks)
                guard let request else { continue }
                let queue = RunQueue(of: mirror.name, in: place)
                if let run = try queue.add(request) { queued.append(run) }
            }
        }
        let now = place.now
        for remark in remarks {
            try place.store.record(
                Activity(
                    date: now,
                    actor: "mirror \(mirror.name)",
                    event: .tagRefused,
                    subject: mirror.name.rawValue,
                    detail: remark,
                )
            )
        }
        try place.store.changeFollowing(mirror.name) { following in
            following.references = Dictionary(
                references.map { ($0.name, $0.commit.description) },
                uniquingKeysWith: { first, _ in first },
            )
            for reference in references where reference.name.hasPrefix("refs/tags/") {
                following.tags[reference.name] =
                    following.tags[reference.name] ?? reference.commit.description
            }
            following.looked = now
            following.hasLooked = true
            following.problem = nil
        }
        return SyncReport(
            isFirst: isFirst,
            changes: changes,
            queued: queued,
            remarks: remarks,
            branches: references.count { $0.name.hasPrefix("refs/heads/") },
            tags: references.count { $0.name.hasPrefix("refs/tags/") },
        )
    }

    /// The version that a tag's name gives this mirror; nil for other references.
    private func versionTag(_ reference: String) -> VersionTag? {
        guard let name = try? TagName(reference: reference) else { return nil }
        return try? VersionTag(name, prefix: mirror.prefix)
    }

    private func request(
        for change: ReferenceChange,
        _ before: Following,
        _ tagged: Set<CommitIdentifier>,
        _ remarks: inout [String],
    ) -> RunRequest? {
        change.isTag
            ? tagRequest(for: change, before, &remarks)
            : branchRequest(for: change, tagged)
    }

    private func tagRequest(
        for change: ReferenceChange,
        _ before: Following,
        _ remarks: inout [String],
    ) -> RunRequest? {
        let commit: CommitIdentifier
        switch change.kind {
        case .deleted(let from):
            remarks.append(
                "the tag \(quoted: change.name) is gone; it was on commit \(from.prefix(10))"
            )
            return nil
        case .appeared(let new), .moved(_, let new): commit = new
        }
        let name: TagName
        do {
            guard let checked = try TagName(reference: change.reference) else { return nil }
            name = checked
        } catch {
            remarks.append("\(error); it is not built")
            return nil
        }
        // Also one that was taken away in between.
        if let first = before.tags[change.reference], first != commit.description {
            let refusal = MirrorRefusal.movedTag(
                name.rawValue,
                from: first,
                to: commit.description,
            )
            remarks.append("\(refusal); `ota mirror build --rebuild` builds it all the same")
            return nil
        }
        guard mirror.tags.match(name.rawValue) else { return nil }
        do {
            _ = try VersionTag(name, prefix: mirror.prefix)
        } catch VersionFlaw.otherPrefix {
            return nil
        } catch {
            remarks.append("the tag \(name) names no version: \(error); it is not built")
            return nil
        }
        return RunRequest(
            .tag,
            by: actor,
            reference: change.reference,
            commit: commit,
            tag: name,
        )
    }

    /// A commit that a tag of this look names is built once, as that version.
    private func branchRequest(
        for change: ReferenceChange,
        _ tagged: Set<CommitIdentifier>,
    ) -> RunRequest? {
        switch change.kind {
        case .deleted: return nil
        case .appeared(let commit), .moved(_, let commit):
            guard mirror.branches.match(change.name), !tagged.contains(commit) else { return nil }
            return RunRequest(.branch, by: actor, reference: change.reference, commit: commit)
        }
    }
}
