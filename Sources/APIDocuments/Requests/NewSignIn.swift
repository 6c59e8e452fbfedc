package import Access
package import Identifiers

/// The request to set how people sign in; it replaces what was set.
package struct NewSignIn: Codable, Sendable, Equatable {
    /// Who gets a role: a person, or everyone with a value of the claim.
    package struct Role: Codable, Sendable, Equatable {
        package let role: Access.Role
        /// By bundle identifier or slug; nil for every app.
        package var app: String?
        /// An address that the provider has verified, or `sub:` and what the provider calls the person.
        package var person: String?
        /// A value of the claim.
        package var claim: String?

        /// - Parameters:
        ///   - role: what they may do.
        ///   - app: on which app; nil for every one.
        ///   - person: whom it is for.
        ///   - claim: the value of those whom it is for.
        package init(
            role: Access.Role,
            app: String? = nil,
            person: String? = nil,
            claim: String? = nil,
        ) {
            self.role = role
            self.app = app
            self.person = person
            self.claim = claim
        }
    }

    /// Who may sign in as a tester: a person, or everyone with a value of the claim.
    package struct Tester: Codable, Sendable, Equatable {
        /// The group of testers that they are members of; nil for none.
        package var group: GroupName?
        /// `everyone`, `@example.com`, an address that the provider has verified, or `sub:` and what the
        /// provider calls the person.
        package var person: String?
        /// A value of the claim.
        package var claim: String?

        /// - Parameters:
        ///   - group: the group that they are members of.
        ///   - person: who it is.
        ///   - claim: the value of those who it is.
        package init(group: GroupName? = nil, person: String? = nil, claim: String? = nil) {
            self.group = group
            self.person = person
            self.claim = claim
        }
    }

    package let issuer: String
    package let clientID: String
    /// Nil keeps the secret that is there for the same issuer and client.
    package var clientSecret: String?
    /// True for a client without a secret.
    package var isPublicClient: Bool?
    /// What the button says; nil for the issuer's host.
    package var name: String?
    package var roleClaim: String?
    package var roles: [Role]
    /// Nil for no one.
    package var testers: [Tester]?
    package var scopes: [String]?

    /// - Parameters:
    ///   - issuer: the provider's URL.
    ///   - clientID: what the provider calls this server.
    ///   - roles: who gets which role.
    package init(issuer: String, clientID: String, roles: [Role]) {
        self.issuer = issuer
        self.clientID = clientID
        self.roles = roles
    }

    private enum CodingKeys: String, CodingKey {
        case issuer, clientID = "clientId", clientSecret, isPublicClient = "publicClient", name
        case roleClaim, roles, testers, scopes
    }
}
