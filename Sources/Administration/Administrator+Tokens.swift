package import APIDocuments
package import Access
import Bundles
import Cryptography
import Foundation
import Identifiers
import Releases
import Store

extension Administrator {
    /// Creates a token.
    ///
    /// - Returns: the token, and its secret, which is not stored.
    /// - Throws: ``AdministrationRefusal/badScope(_:)``, ``TokenRefusal``, ``StoreFailure``.
    package func createToken(
        _ new: NewToken
    ) throws -> (token: AccessToken, secret: TokenSecret) {
        let scopes = try new.scopes.map(scope)
        let now = clock()
        var made: (token: AccessToken, secret: TokenSecret)?
        try store.changeTokens { register in
            made = try register.create(
                name: new.name,
                scopes: scopes,
                expires: new.expires,
                at: now,
                random: randomBytes,
            )
        } recording: {
            guard let token = made?.token else { return [] }
            let detail = token.scopes.map(\.description).joined(separator: " ")
            return [activity(.tokenCreated, token.name, detail: detail, at: now)]
        }
        guard let made else { throw TokenRefusal.unknown }
        return made
    }

    /// Revokes a token, given by its name or identifier, with immediate effect.
    @discardableResult
    package func revokeToken(_ text: String) throws -> AccessToken {
        let now = clock()
        var revoked: AccessToken?
        try store.changeTokens {
            revoked = try $0.revoke(text, at: now)
        } recording: {
            revoked.map { [activity(.tokenRevoked, $0.name, at: now)] } ?? []
        }
        guard let revoked else { throw TokenRefusal.unknown }
        return revoked
    }

    /// Parses a scope.
    ///
    /// An app may also be named by its slug; the stored scope has its bundle identifier.
    private func scope(_ text: String) throws -> Scope {
        guard let scope = Scope(text) else { throw AdministrationRefusal.badScope(text) }
        // A word without a dot is a slug.
        guard let word = scope.app?.rawValue, !word.contains(".") else { return scope }
        guard let slug = Slug(word), let app = try store.app(slug: slug) else {
            throw AdministrationRefusal.noAppForScope(word, action: scope.action.rawValue)
        }
        return Scope(scope.action, app: app.bundleIdentifier)
    }
}
