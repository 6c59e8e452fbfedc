package import APIDocuments
import Access
import Store

extension Actions {
    static let tokens: [any PerformedAction.Type] = [
        ListTokens.self, CreateToken.self, RevokeToken.self,
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
