package import Versions

/// What a user or a push wants built.
package struct RunRequest: Sendable, Equatable {
    package let cause: BuildCause
    package let actor: String
    package let reference: String?
    package let commit: CommitIdentifier
    package let tag: TagName?
    package var isRebuild = false
    /// The interrupted build that this one takes up again.
    package var repeats: Int?

    package init(
        _ cause: BuildCause,
        by actor: String,
        reference: String?,
        commit: CommitIdentifier,
        tag: TagName? = nil,
    ) {
        self.cause = cause
        self.actor = actor
        self.reference = reference
        self.commit = commit
        self.tag = tag
    }
}
