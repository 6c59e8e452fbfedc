import Access
import Bundles
import Identifiers
import Uploads

extension Principal {
    /// - Throws: ``UploadRefusal/notAllowed(token:app:scopes:)`` unless it may publish the app or, if that
    ///   is nil, any app.
    func requirePublish(on app: BundleIdentifier?) throws(UploadRefusal) {
        guard app.map({ may(.publish, on: $0) }) ?? mayPublish else {
            throw .notAllowed(
                token: name,
                app: app?.rawValue,
                scopes: scopes.map(\.description).joined(separator: ", "),
            )
        }
    }
}
