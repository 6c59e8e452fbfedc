package import APIDocuments
import Access
import Cryptography
import Foundation
import Releases
import Store

extension Actions {
    static let tokens: [any PerformedAction.Type] = [
        ListTokens.self, CreateToken.self, RevokeToken.self, RotateToken.self,
    ]
}

extension ListTokens: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> TokensDocument {
        let now = administration.admin.clock()
        let tokens = try administration.admin.store.tokens().tokens
            .filter { all || $0.refusal(at: now) == nil }
        return TokensDocument(tokens: tokens.map(TokenEntry.init))
    }
}

extension CreateToken: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> CreatedTokenDocument {
        let made = try administration.admin.createToken(content)
        return CreatedTokenDocument(token: TokenEntry(made.token), secret: made.secret.text)
    }
}

extension RevokeToken: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> TokenDocument {
        TokenDocument(token: TokenEntry(try administration.admin.revokeToken(token)))
    }
}

extension RotateToken: StoreAction {
    /// Replaces the token in one change, so that a crash leaves either the old token or the new one.
    package func perform(in administration: LocalAdministration) throws -> CreatedTokenDocument {
        let admin = administration.admin
        let now = admin.clock()
        var made: (token: AccessToken, secret: TokenSecret)?
        try admin.store.changeTokens { register in
            let old = try register.revoke(token, at: now)
            // The new token has the same lifetime as the old one.
            let lifetime = old.expires.map { $0.timeIntervalSince(old.created) }
            made = try register.create(
                name: old.name,
                scopes: old.scopes,
                expires: lifetime.map { now.addingTimeInterval($0) },
                at: now,
                random: randomBytes,
            )
        } recording: {
            guard let token = made?.token else { return [] }
            let detail = token.scopes.map(\.description).joined(separator: " ")
            return [
                admin.activity(.tokenRevoked, token.name, at: now),
                admin.activity(.tokenCreated, token.name, detail: detail, at: now),
            ]
        }
        guard let made else { throw TokenRefusal.unknown }
        return CreatedTokenDocument(token: TokenEntry(made.token), secret: made.secret.text)
    }
}
