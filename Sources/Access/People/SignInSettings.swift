import Bytes
package import Essentials

/// How people sign in: the provider, and who gets which role.
///
/// The client's secret is in it, so the document is for its owner alone.
package struct SignInSettings: Codable, Equatable, Sendable {
    /// Entries of the list of roles.
    package static let grantLimit = 1000

    package var schema = 1
    package let issuer: IssuerURL
    package let clientID: String
    /// Nil for a client that the provider knows as public: only the proof of RFC 7636 protects its codes.
    package let clientSecret: String?
    /// What the button says: `Sign in with NAME`.
    package let name: String
    /// The claim whose values give roles; a dot leads into an object, as in `realm_access.roles`.
    package let roleClaim: String?
    package let grants: [RoleGrant]
    /// Who may sign in as a tester; nil for no one.
    package let testers: [TesterGrant]?
    /// Scopes that the provider is asked for beside `openid`, `email` and `profile`.
    package let scopes: [String]
    package let changed: Date

    /// - Parameters:
    ///   - issuer: the provider.
    ///   - clientID: what the provider calls this server.
    ///   - clientSecret: what this server proves itself with at the provider.
    ///   - name: of the provider, for people.
    ///   - roleClaim: the claim whose values give roles.
    ///   - grants: who gets which role.
    ///   - testers: who may sign in as a tester.
    ///   - scopes: further ones to ask for.
    ///   - changed: when it was set.
    package init(
        issuer: IssuerURL,
        clientID: String,
        clientSecret: String?,
        name: String,
        roleClaim: String?,
        grants: [RoleGrant],
        testers: [TesterGrant] = [],
        scopes: [String],
        changed: Date,
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.name = name
        self.roleClaim = roleClaim
        self.grants = grants
        self.testers = testers.isEmpty ? nil : testers
        self.scopes = scopes
        self.changed = changed
    }

    /// What a person may do as the roles are now; empty for someone who has none.
    package func rights(of person: Person) -> [Scope] {
        guard person.issuer == issuer else { return [] }
        var rights: [Scope] = []
        for grant in grants where grant.applies(to: person) && !rights.contains(grant.scope) {
            rights.append(grant.scope)
        }
        return rights
    }
}
