package import Access
package import Identifiers

/// The sign-in settings of a request, which replace the existing ones.
package struct NewSignIn: Codable, Sendable, Equatable {
    /// Grants a role to a person, or to everyone with a value of the claim.
    package struct Role: Codable, Sendable, Equatable {
        package let role: Access.Role
        /// A bundle identifier or slug; nil for all apps.
        package var app: String?
        /// An e-mail address that the provider has verified, or `sub:` and the subject of the provider.
        package var person: String?
        /// A value of the claim.
        package var claim: String?

        /// - Parameters:
        ///   - role: the role.
        ///   - app: the app; nil for all apps.
        ///   - person: the person who gets it.
        ///   - claim: the value of the claim that gets it.
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

    /// Lets a person, or everyone with a value of the claim, sign in as a tester.
    package struct Tester: Codable, Sendable, Equatable {
        /// The group of which they become members; nil for none.
        package var group: GroupName?
        /// `everyone`, `@example.com`, an e-mail address that the provider has verified, or `sub:` and the
        /// subject of the provider.
        package var person: String?
        /// A value of the claim.
        package var claim: String?

        /// - Parameters:
        ///   - group: the group of which they become members.
        ///   - person: the person.
        ///   - claim: the value of the claim.
        package init(group: GroupName? = nil, person: String? = nil, claim: String? = nil) {
            self.group = group
            self.person = person
            self.claim = claim
        }
    }

    package let issuer: String
    package let clientID: String
    /// Nil keeps the existing secret for the same issuer and client.
    package var clientSecret: String?
    /// True for a client without a secret.
    package var isPublicClient: Bool?
    /// The provider's name on the button; nil for the issuer's host.
    package var name: String?
    package var roleClaim: String?
    package var roles: [Role]
    /// Nil for none.
    package var testers: [Tester]?
    package var scopes: [String]?

    /// - Parameters:
    ///   - issuer: the provider's URL.
    ///   - clientID: the client ID of this server at the provider.
    ///   - roles: the granted roles.
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
