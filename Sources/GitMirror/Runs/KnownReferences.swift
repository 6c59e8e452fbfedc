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
    /// branch.
    ///
    /// - Parameters:
    ///   - tag: to build, or to call the build of the branch after.
    ///   - branch: to build.
    ///   - rebuild: the commit that a tag has moved to and that is built all the same, as whoever asks
    ///     has seen it; its release gives way then.
    ///   - actor: who asks.
    ///   - date: now.
    /// - Returns: the build.
    /// - Throws: ``GitFailure/unknown(_:)`` for what was not seen, ``MirrorRefusal`` for a tag that has
    ///   moved, or has moved again, and for a full queue.
    package func queue(
        tag: TagName?,
        branch: TagName?,
        rebuild: String? = nil,
        by actor: String,
        at date: Date,
    ) throws -> MirrorRun {
        let following = try store.following(mirror.name)
        let reference = try reference(tag, branch, following)
        guard let text = following.references[reference], let commit = CommitIdentifier(text) else {
            throw GitFailure.unknown(reference)
        }
        var request = RunRequest(
            .manual,
            by: actor,
            reference: reference,
            commit: commit,
            tag: tag,
        )
        if let rebuild {
            guard rebuild == text else { throw MirrorRefusal.movedAgain(reference, to: text) }
            request.isRebuild = true
        }
        return try RunQueue(of: mirror.name, in: store, at: date).addByHand(
            request,
            prefix: mirror.prefix,
        )
    }

    private func reference(
        _ tag: TagName?,
        _ branch: TagName?,
        _ following: Following,
    ) throws(MirrorRefusal) -> String {
        if let branch { return "refs/heads/\(branch)" }
        if let tag { return tag.reference }
        return try ManualBuild.mainBranch { following.references[$0] != nil }
    }
}
