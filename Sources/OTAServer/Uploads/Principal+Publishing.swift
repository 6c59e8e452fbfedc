import Access
import Bundles

extension Principal {
    /// - Throws: ``Refusal/notAllowed`` unless it may publish that app or, where that is not said, any.
    func requirePublish(on app: BundleIdentifier?) throws(Refusal) {
        let may =
            app.map { self.may(.publish, on: $0) }
            ?? scopes.contains { $0.allows(.publish, on: $0.app) }
        guard may else { throw .notAllowed }
    }
}
