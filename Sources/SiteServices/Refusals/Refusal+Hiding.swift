package import Access
import Problems
import Store

extension Refusal {
    /// Hides where on the machine the store is from everyone who does not run the server.
    ///
    /// - Parameters:
    ///   - error: what a route threw; the server logs it as it is.
    ///   - principal: who asked; nil until they have proven who they are.
    /// - Returns: the error that the client sees: the same, unless it names such a path.
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
            // The name of a document within the store helps anyone who reports that it is damaged.
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

    /// Hides from everyone but admins what the disk or a document of the store refuses: those who
    /// upload builds of one app learn nothing of the others.
    ///
    /// - Parameters:
    ///   - error: the result of an upload; the server logs it as it is.
    ///   - principal: whose upload it is; nil when that is not known.
    /// - Returns: the error that the client sees.
    package static func hidingFailures(
        of error: any Error,
        from principal: Principal?,
    ) -> any Error {
        hidingPaths(of: error, from: principal.flatMap { $0.may(.admin) ? $0 : nil })
    }
}
