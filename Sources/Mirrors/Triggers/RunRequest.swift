package import Versions

/// A request for a build, by a user or a push.
package struct RunRequest: Sendable, Equatable {
    package let cause: BuildCause
    package let actor: String
    package let reference: String?
    package let commit: CommitIdentifier
    package let tag: TagName?
    package var isRebuild = false
    /// The number of the interrupted build that this one repeats.
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
