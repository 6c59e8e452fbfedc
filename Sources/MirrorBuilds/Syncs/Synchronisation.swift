import Bytes
import Foundation
import GitRepositories
package import Mirrors
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
    ///   ``MirrorRefusal/busy(_:)`` while another sync is running, ``MirrorRefusal/paused(_:)``; ``StoreFailure``.
    package func run(
        progress: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil
    ) async throws -> SyncReport {
        _ = try place.store.mirrorInUse(named: mirror.name.rawValue)
        guard let lock = try FileLock(place.folders.fetchLock(mirror.name)) else {
            throw MirrorRefusal.busy(mirror.name)
        }
        defer { withExtendedLifetime(lock) {} }
        // Whatever is pushed from here on asks for another look.
        var before = try place.store.following(mirror.name)
        if before.isDue {
            try place.store.changeFollowing(mirror.name) { following in
                following.isDue = false
                following.asker = nil
                before.asked = following.asked
            }
        }
        do {
            let references = try await fetched(progress)
            return try compare(references, answering: before.asked)
        } catch {
            try note(error, on: before)
            throw error
        }
    }

    /// Does the same as ``run(progress:)``, after a sync that is running has ended: a server syncs a new
    /// mirror as soon as it is there.
    ///
    /// - Parameters:
    ///   - onWait: is called once, when another is running.
    ///   - progress: is given git's own words.
    /// - Returns: what was found.
    /// - Throws: what ``run(progress:)`` throws.
    package func runInTurn(
        onWait: () -> Void = {},
        progress: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil,
    ) async throws -> SyncReport {
        for attempt in 0..<Self.attempts {
            do {
                return try await run(progress: progress)
            } catch MirrorRefusal.busy {
                if attempt == 0 { onWait() }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        return try await run(progress: progress)
    }

    /// Ten minutes of them; no fetch takes longer.
    private static let attempts = 6000

    /// Does the same as ``runInTurn(onWait:progress:)`` within a time, for a page that a browser waits for.
    ///
    /// - Throws: ``MirrorRefusal/syncTakesLong(_:seconds:)`` too; a fetch that has begun is ended then.
    @discardableResult
    package func run(within seconds: Int) async throws -> SyncReport {
        try await withThrowingTaskGroup(of: SyncReport.self) { tasks in
            let name = mirror.name
            tasks.addTask { try await runInTurn() }
            tasks.addTask {
                try await Task.sleep(for: .seconds(seconds))
                throw MirrorRefusal.syncTakesLong(name, seconds: seconds)
            }
            defer { tasks.cancelAll() }
            guard let report = try await tasks.next() else { throw CancellationError() }
            return report
        }
    }

    private func fetched(
        _ progress: (@Sendable (ArraySlice<UInt8>) -> Void)?
    ) async throws -> [BareRepository.Reference] {
        let repository = place.repository(of: mirror)
        try await repository.prepare()
        try await place.fetch(
            mirror.address,
            into: repository,
            for: mirror,
            progress: progress,
        )
        return try await repository.references()
    }

    /// What was asked for and failed stays to be done.
    private func note(_ failure: any Error, on before: Following) throws {
        let isStopped = failure is CancellationError
        let now = place.now
        let words = PrintableText(escaping: "\(failure)", limit: 500).text
        try place.store.changeFollowing(mirror.name) { following in
            if before.isDue {
                following.isDue = true
                following.asker = following.asker ?? before.asker
            }
            guard !isStopped else { return }
            following.looked = now
            following.problem = words
            following.answered = before.asked
        }
    }

    private func compare(
        _ references: [BareRepository.Reference],
        answering asked: Int?,
    ) throws -> SyncReport {
        let before = try place.store.following(mirror.name)
        let isFirst = !before.hasLooked
        let changes = ReferenceChange.between(before.references, references)
        var remarks = Remarks()
        var queued: [MirrorRun] = []
        /// What the queue had no room for: seen again by the next look.
        var postponed: Set<String> = []
        if !isFirst {
            let tagged = Set(references.compactMap { isBuilt($0, before) ? $0.commit : nil })
            // Releases do not wait behind branches when the queue is full.
            for change in changes.filter(\.isTag) + changes.filter({ !$0.isTag }) {
                let request = request(for: change, before, tagged, &remarks)
                guard let request else { continue }
                let run = try postponed.isEmpty ? added(request) : .noRoom
                switch run {
                case .added(let run): queued.append(run)
                case .known: continue
                case .noRoom: postponed.insert(change.reference)
                }
            }
        }
        let report = SyncReport(
            isFirst: isFirst,
            changes: changes,
            queued: queued,
            remarks: remarks.bounded,
            branches: references.count { $0.name.hasPrefix("refs/heads/") },
            tags: references.count { $0.name.hasPrefix("refs/tags/") },
        )
        let newest = queued.compactMap(\.reference).compactMap(mirror.version(of:)).max()
        let seen = changes.filter { !postponed.contains($0.reference) }
        let now = place.now
        for remark in report.remarks {
            try place.store.record(
                Activity(
                    date: now,
                    actor: mirror.publisher,
                    event: .tagRefused,
                    subject: mirror.name.rawValue,
                    detail: remark,
                )
            )
        }
        try place.store.changeFollowing(mirror.name) { following in
            following.references = before.references.filter { postponed.contains($0.key) }
            for reference in references where !postponed.contains(reference.name) {
                following.references[reference.name] = reference.commit.description
            }
            following.note(seen, newest: newest, version: mirror.version(of:))
            following.looked = now
            following.hasLooked = true
            following.problem = nil
            following.answered = asked
            following.report = LookReport(report)
            guard !postponed.isEmpty else { return }
            // As a look that failed: soon again, and not at once.
            following.isDue = true
            following.problem =
                "\(MirrorRefusal.queueFull(RunQueue.limit)); \(postponed.count) more are queued "
                + "later"
        }
        return report
    }

    private enum Addition {
        case added(MirrorRun)
        case known, noRoom
    }

    private func added(_ request: RunRequest) throws -> Addition {
        do {
            return try RunQueue(of: mirror.name, in: place).add(request).map(Addition.added)
                ?? .known
        } catch MirrorRefusal.queueFull {
            return .noRoom
        }
    }

    /// Whether a tag is built, or was, as the version that it names.
    private func isBuilt(_ reference: BareRepository.Reference, _ before: Following) -> Bool {
        guard mirror.version(of: reference.name) != nil else { return false }
        let first = before.tags[reference.name] ?? before.references[reference.name]
        return first == nil || first == reference.commit.description
    }

    private func request(
        for change: ReferenceChange,
        _ before: Following,
        _ tagged: Set<CommitIdentifier>,
        _ remarks: inout Remarks,
    ) -> RunRequest? {
        change.isTag
            ? tagRequest(for: change, before, &remarks)
            : branchRequest(for: change, tagged)
    }

    private func tagRequest(
        for change: ReferenceChange,
        _ before: Following,
        _ remarks: inout Remarks,
    ) -> RunRequest? {
        let commit: CommitIdentifier
        switch change.kind {
        case .deleted(let from):
            remarks.add(
                "the tag \(quoted: change.name) was deleted; it pointed to commit "
                    + "\(from.prefix(10))"
            )
            return nil
        case .appeared(let new), .moved(_, let new): commit = new
        }
        let name: TagName
        do {
            guard let checked = try TagName(reference: change.reference) else { return nil }
            name = checked
        } catch {
            remarks.add("\(error); it is not built")
            return nil
        }
        guard mirror.version(of: change.reference) != nil else {
            // Perhaps it was meant as a version; said once, of names such as `nightly` that move.
            if case .appeared = change.kind, mirror.tags.match(name.rawValue) {
                remark(on: name, &remarks)
            }
            return nil
        }
        // Also one that was taken away in between.
        if let first = before.first(of: change), first != commit.description {
            let refusal = MirrorRefusal.movedTag(
                name.rawValue,
                from: first,
                to: commit.description,
            )
            let command = "ota mirror build \(mirror.name) --tag \(name) --rebuild"
            remarks.addFirst("\(refusal); `\(command)` builds it anyway")
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

    private func remark(on name: TagName, _ remarks: inout Remarks) {
        do {
            _ = try VersionTag(name, prefix: mirror.prefix)
        } catch VersionFlaw.otherPrefix {
        } catch {
            remarks.add("the tag \(name) names no version: \(error); it is not built")
        }
    }

    /// A commit that is built as a version is not built as `dev` too.
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
