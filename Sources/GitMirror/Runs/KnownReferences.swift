package import Foundation
package import Store
package import Versions

/// Queues builds by hand of what the last look has found, without asking `git`: for a page, which
/// answers at once.
package struct KnownReferences: Sendable {
    private let mirror: Mirror
    private let store: OTAStore

    package init(of mirror: Mirror, in store: OTAStore) {
        self.mirror = mirror
        self.store = store
    }

    /// Queues a build of the branch, called after the tag if there is one; of the tag; or of the main
    /// branch. With `rebuild` also of a tag that has moved, whose release gives way then.
    ///
    /// - Throws: ``GitFailure/unknown(_:)`` for what was not seen, ``MirrorRefusal`` for a tag that has
    ///   moved and for a full queue.
    package func queue(
        tag: TagName?,
        branch: TagName?,
        rebuild: Bool = false,
        by actor: String,
        at date: Date,
    ) throws -> MirrorRun {
        let following = try store.following(mirror.name)
        let reference = try reference(tag, branch, following)
        guard let text = following.references[reference], let commit = CommitIdentifier(text) else {
            throw GitFailure.unknown(reference)
        }
        if !rebuild, branch == nil, let tag, let first = following.tags[reference], first != text {
            throw MirrorRefusal.movedTag(tag.rawValue, from: first, to: text)
        }
        var request = RunRequest(
            .manual,
            by: actor,
            reference: reference,
            commit: commit,
            tag: tag,
        )
        request.isRebuild = rebuild
        guard let run = try RunQueue(of: mirror.name, in: store, at: date).add(request) else {
            throw MirrorRefusal.nothingToBuild
        }
        try store.accept(request, of: mirror.name)
        return run
    }

    private func reference(
        _ tag: TagName?,
        _ branch: TagName?,
        _ following: Following,
    ) throws(MirrorRefusal) -> String {
        if let branch { return "refs/heads/\(branch)" }
        if let tag { return tag.reference }
        let known = ["refs/heads/main", "refs/heads/master"]
            .first { following.references[$0] != nil }
        guard let known else { throw .nothingToBuild }
        return known
    }
}
