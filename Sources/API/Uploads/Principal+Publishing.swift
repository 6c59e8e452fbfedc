import Access
import Bundles
import Identifiers
import Uploads

extension Principal {
    /// - Throws: ``UploadRefusal/notAllowed(token:app:scopes:)`` unless it may publish that app or, where
    ///   that is not said, any.
    func requirePublish(on app: BundleIdentifier?) throws(UploadRefusal) {
        let may =
            app.map { self.may(.publish, on: $0) }
            ?? scopes.contains { $0.allows(.publish, on: $0.app) }
        guard may else {
            throw .notAllowed(
                token: name,
                app: app?.rawValue,
                scopes: scopes.map(\.description).joined(separator: ", "),
            )
        }
    }
}
