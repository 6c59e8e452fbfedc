package import Access
import Problems
import Store

extension Refusal {
    /// Hides the store's location on the machine from users who do not run the server.
    ///
    /// - Parameters:
    ///   - error: the error that a route threw; the server logs it unchanged.
    ///   - principal: the user; nil if the client is not authenticated.
    /// - Returns: the error that the client sees: the same one, unless it contains such a path.
    package static func hidingPaths(
        of error: any Error,
        from principal: Principal?,
    ) -> any Error {
        let failure: StoreFailure
        switch error {
        case let error as StoreFailure: failure = error
        case let error as SystemFailure: failure = .system(error)
        default: return error
        }
        if let principal {
            // The name of a document within the store helps users to report that it is damaged.
            guard !principal.may(.admin), failure.place.hasPrefix("/") else { return error }
        }
        guard failure.kind == .outOfRoom else { return Refusal.unavailable("\(failure)") }
        let refusal = Refusal.noRoom(failure.fix)
        return Problem(
            id: failure.id,
            kind: refusal.kind,
            message: refusal.description,
            fix: refusal.fix,
            pageFix: refusal.pageFix,
        )
    }

    /// Hides failures of the disk and of the store's documents from everyone but admins, so that users
    /// who upload builds of one app learn nothing about the others.
    ///
    /// - Parameters:
    ///   - error: the error of an upload; the server logs it unchanged.
    ///   - principal: the uploader; nil if unknown.
    /// - Returns: the error that the client sees.
    package static func hidingFailures(
        of error: any Error,
        from principal: Principal?,
    ) -> any Error {
        hidingPaths(of: error, from: principal.flatMap { $0.may(.admin) ? $0 : nil })
    }
}
