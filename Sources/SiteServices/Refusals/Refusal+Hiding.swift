package import Access
import Problems
import Store

extension Refusal {
    /// What someone who does not run the server is told when its store fails, instead of where on
    /// the machine it is; nil for an error that they may read as it is.
    ///
    /// - Parameters:
    ///   - error: what a route threw; the server logs it as it is.
    ///   - principal: who asked; nil until they have proven who they are.
    package init?(hiding error: any Error, from principal: Principal?) {
        let failure: StoreFailure
        switch error {
        case let error as StoreFailure: failure = error
        case let error as SystemFailure: failure = .system(error)
        default: return nil
        }
        if let principal {
            // The name of a document within the store helps whoever reports that it is damaged.
            guard !principal.may(.admin), failure.place.hasPrefix("/") else { return nil }
        }
        self = failure.kind == .outOfRoom ? .noRoom(failure.fix) : .unavailable("\(failure)")
    }
}
