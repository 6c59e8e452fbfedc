import Problems

/// Why a sync failed, for the answer to the request for that sync.
package struct SyncFailure: Codable, Sendable, Equatable {
    /// The identifier of the ``Problem``, such as `git.failed`.
    package let id: String
    /// How to fix it.
    package let fix: String

    /// Creates the failure; nil for an error that is not reported as it is.
    ///
    /// - Parameter error: why the sync failed; its message is the state's ``MirrorState/problem``.
    package init?(_ error: any Error) {
        guard let problem = (error as? any ReportableError)?.problem else { return nil }
        id = problem.id
        fix = problem.fix
    }
}
