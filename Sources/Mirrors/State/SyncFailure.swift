import Problems

/// Why a sync failed, as the answer to a request for that sync says it.
package struct SyncFailure: Codable, Sendable, Equatable {
    /// Of the ``Problem``, such as `git.failed`.
    package let id: String
    /// What to do about it.
    package let fix: String

    /// Nil for an error that is not reported as it is.
    ///
    /// - Parameter error: why the sync failed; its message is the state's ``MirrorState/problem``.
    package init?(_ error: any Error) {
        guard let problem = (error as? any ReportableError)?.problem else { return nil }
        id = problem.id
        fix = problem.fix
    }
}
