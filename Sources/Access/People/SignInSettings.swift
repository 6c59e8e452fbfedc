import Bytes
package import Essentials

/// The sign-in settings: the provider, and the roles of people.
///
/// They contain the client's secret, so the document is readable by its owner only.
package struct SignInSettings: Codable, Equatable, Sendable {
    /// The number of entries in the list of roles.
    package static let grantLimit = 1000

    package var schema = 1
    package let issuer: IssuerURL
    package let clientID: String
    /// Nil for a public client, whose authorisation codes are protected only by PKCE (RFC 7636).
    package let clientSecret: String?
    /// The provider's name on the button: `Sign in with NAME`.
    package let name: String
    /// The claim whose values determine roles; a dot separates the keys of nested objects, as in
    /// `realm_access.roles`.
    package let roleClaim: String?
    package let grants: [RoleGrant]
    /// The people who may sign in as testers; nil for none.
    package let testers: [TesterGrant]?
    /// Scopes to request in addition to `openid`, `email` and `profile`.
    package let scopes: [String]
    package let changed: Date

    /// - Parameters:
    ///   - issuer: the provider.
    ///   - clientID: the provider's identifier of this server.
    ///   - clientSecret: the secret with which this server authenticates to the provider.
    ///   - name: the provider's name, for display.
    ///   - roleClaim: the claim whose values determine roles.
    ///   - grants: the roles of people.
    ///   - testers: the people who may sign in as testers.
    ///   - scopes: further scopes to request.
    ///   - changed: when the settings were changed.
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

    /// The rights of a person according to the current roles; empty for a person without a role.
    package func rights(of person: Person) -> [Scope] {
        guard person.issuer == issuer else { return [] }
        var rights: [Scope] = []
        for grant in grants where grant.applies(to: person) && !rights.contains(grant.scope) {
            rights.append(grant.scope)
        }
        return rights
    }
}
