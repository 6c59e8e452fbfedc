import Bytes
package import GitRepositories
import Versions

/// The plan of a sync: what has changed since the previous one, and the builds to queue for that.
///
/// It is computed from values alone; the caller queues the builds and stores the new state.
package struct SyncPlan: Sendable {
    /// Whether this is the mirror's first sync.
    ///
    /// The first sync queues nothing: what was there before the mirror is history.
    package let isFirst: Bool
    package let changes: [ReferenceChange]
    /// The builds in the order in which they are queued: releases do not wait behind branches.
    package let requests: [RunRequest]
    /// Remarks for the admin: refused names, tags that moved or were deleted.
    package let remarks: [String]
    package let references: [BareRepository.Reference]

    private let mirror: Mirror
    private let before: MirrorState

    /// - Parameters:
    ///   - mirror: the mirror.
    ///   - before: the state after the previous sync.
    ///   - references: the current branches and tags.
    ///   - actor: who requested the sync: a user, `schedule` or `webhook`.
    package init(
        for mirror: Mirror,
        from before: MirrorState,
        to references: [BareRepository.Reference],
        by actor: String,
    ) {
        let isFirst = !before.hasSynced
        let changes = ReferenceChange.between(before.references, references)
        let rules = Rules(mirror: mirror, before: before, actor: actor)
        var remarks = Remarks()
        var requests: [RunRequest] = []
        if !isFirst {
            let tagged = Set(references.compactMap { rules.isBuilt($0) ? $0.commit : nil })
            requests += changes.filter(\.isTag)
                .compactMap { rules.tagRequest(for: $0, &remarks) }
            requests += changes.filter { !$0.isTag }
                .compactMap { rules.branchRequest(for: $0, tagged) }
        }
        self.isFirst = isFirst
        self.changes = changes
        self.requests = requests
        self.remarks = remarks.bounded
        self.references = references
        self.mirror = mirror
        self.before = before
    }

    package var branches: Int { references.count { $0.name.hasBytes(first: "refs/heads/") } }

    package var tags: Int { references.count { $0.name.hasBytes(first: "refs/tags/") } }

    /// Records the result, with which the next sync compares.
    ///
    /// - Parameters:
    ///   - state: the mirror's state.
    ///   - postponed: full names of references for whose builds the queue had no room; the next sync finds
    ///     them again.
    ///   - queued: full names of references whose builds were queued.
    package func note(
        in state: inout MirrorState,
        postponing postponed: Set<String>,
        queued: [String],
    ) {
        state.references = before.references.filter { postponed.contains($0.key) }
        for reference in references where !postponed.contains(reference.name) {
            state.references[reference.name] = reference.commit.description
        }
        state.note(
            changes.filter { !postponed.contains($0.reference) },
            newest: queued.compactMap(mirror.version(of:)).max(),
            version: mirror.version(of:),
        )
    }
}

/// Decides which changes of a mirror are built.
private struct Rules {
    let mirror: Mirror
    let before: MirrorState
    let actor: String

    /// Whether a tag is, or was, built as the version that it names.
    func isBuilt(_ reference: BareRepository.Reference) -> Bool {
        guard mirror.version(of: reference.name) != nil else { return false }
        let first = before.tags[reference.name] ?? before.references[reference.name]
        return first == nil || first == reference.commit.description
    }

    func tagRequest(
        for change: ReferenceChange,
        _ remarks: inout Remarks,
    ) -> RunRequest? {
        let commit: CommitIdentifier
        switch change.kind {
        case .deleted(let from):
            remarks.add(
                "the tag \(quoted: change.name) was deleted; it pointed to commit "
                    + "\(from.shortCommit)"
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
            // It may have been meant as a version. Reported only once, because names such as `nightly`
            // move.
            if case .appeared = change.kind, mirror.tags.match(name.rawValue) {
                remark(on: name, &remarks)
            }
            return nil
        }
        // This includes a tag that was deleted in between.
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

    /// Returns the build of a branch; nil if the branch is not built, or its commit is already built as a
    /// version.
    func branchRequest(
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
