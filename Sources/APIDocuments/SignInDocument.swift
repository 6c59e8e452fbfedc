package import Access
package import Foundation
package import Identifiers

/// The sign-in settings, without the client's secret.
package struct SignInEntry: Codable, Equatable, Sendable {
    package let issuer: String
    package let clientID: String
    /// Whether a secret is stored.
    package let hasSecret: Bool
    package let name: String
    package let roleClaim: String?
    package let roles: [NewSignIn.Role]
    /// Who may sign in as a tester.
    package let testers: [NewSignIn.Tester]
    package let scopes: [String]
    package let changed: Date
    /// The redirect URI to register at the provider; nil if the base URL is not set.
    package let callback: String?
    /// The URI to which the provider may redirect after a sign-out.
    package let afterSignOut: String?
    /// The URI to which the provider sends back-channel logouts.
    package let backChannelLogout: String?

    /// - Parameters:
    ///   - settings: the stored settings.
    ///   - callback: the redirect URI; nil if the base URL is not set.
    ///   - afterSignOut: the URI to which the provider may redirect after a sign-out.
    ///   - backChannelLogout: the URI to which the provider sends back-channel logouts.
    package init(
        _ settings: SignInSettings,
        callback: String?,
        afterSignOut: String?,
        backChannelLogout: String?,
    ) {
        issuer = settings.issuer.text
        clientID = settings.clientID
        hasSecret = settings.clientSecret != nil
        name = settings.name
        roleClaim = settings.roleClaim
        roles = settings.grants.map(NewSignIn.Role.init)
        testers = (settings.testers ?? []).map(NewSignIn.Tester.init)
        scopes = settings.scopes
        changed = settings.changed
        self.callback = callback
        self.afterSignOut = afterSignOut
        self.backChannelLogout = backChannelLogout
    }

    private enum CodingKeys: String, CodingKey {
        case issuer, clientID = "clientId", hasSecret, name, roleClaim, roles, testers, scopes
        case changed, callback, afterSignOut, backChannelLogout
    }
}

extension NewSignIn.Role {
    /// The grant in the form of requests.
    package init(_ grant: RoleGrant) {
        self.init(role: grant.role, app: grant.app?.rawValue)
        switch grant.subject {
        case .email(let email): person = email
        case .subject(let subject): person = "sub:" + subject
        case .claim(let value): claim = value
        }
    }
}

extension NewSignIn.Tester {
    /// The grant in the form of requests.
    package init(_ grant: TesterGrant) {
        self.init(group: grant.group, person: grant.subject.listedText)
        if case .known(.claim(let value)) = grant.subject { claim = value }
    }
}

/// `{"schema": 1, "signIn": {…}}`.
package struct SignInDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let signIn: SignInEntry

    package init(signIn: SignInEntry) {
        self.signIn = signIn
    }
}

/// The capabilities of a provider, found by querying it.
package struct TriedSignInDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let issuer: String
    /// The number of usable keys.
    package let keys: Int
    /// Whether its responses contain the issuer (RFC 9207).
    package let namesIssuer: Bool
    /// Whether it sends back-channel logouts.
    package let announcesLogouts: Bool
    /// Whether signing out here can sign people out at the provider.
    package let endsSessions: Bool

    /// - Parameters:
    ///   - issuer: the provider.
    ///   - keys: the number of usable keys.
    ///   - namesIssuer: whether its responses contain the issuer.
    ///   - announcesLogouts: whether it sends back-channel logouts.
    ///   - endsSessions: whether it signs people out on request.
    package init(
        issuer: String,
        keys: Int,
        namesIssuer: Bool,
        announcesLogouts: Bool,
        endsSessions: Bool,
    ) {
        self.issuer = issuer
        self.keys = keys
        self.namesIssuer = namesIssuer
        self.announcesLogouts = announcesLogouts
        self.endsSessions = endsSessions
    }
}

/// A session of a person, without its secrets.
package struct PersonSessionEntry: Codable, Equatable, Sendable {
    package let identifier: String
    package let name: String
    /// The subject of the person at the provider; nil for a session opened by a link.
    package let subject: String?
    /// Whether the person signed in as an admin or a tester.
    package let purpose: PersonSession.Purpose
    /// The rights of an admin; empty for a tester.
    package let scopes: [Scope]
    /// The groups of which the sign-in settings make a tester a member.
    package let groups: [GroupName]
    package let opened: Date
    package let expires: Date
    /// When the provider last confirmed it.
    package let confirmed: Date

    /// Nil for a session that is no longer valid.
    ///
    /// - Parameters:
    ///   - session: the stored session.
    ///   - settings: the sign-in settings.
    ///   - date: the current time.
    package init?(_ session: PersonSession, under settings: SignInSettings?, at date: Date) {
        switch session.purpose {
        case .admin:
            guard let principal = session.principal(under: settings, at: date) else { return nil }
            (scopes, groups) = (principal.scopes, [])
        case .tester:
            guard let right = session.testerRight(under: settings, at: date) else { return nil }
            (scopes, groups) = ([], right.groups.sorted())
        }
        purpose = session.purpose
        identifier = String(session.identifier.prefix(12))
        name = session.shownName
        subject = session.person?.subject
        opened = session.opened
        expires = session.expires
        confirmed = session.confirmed
    }
}

/// `{"schema": 1, "sessions": […]}`.
package struct PersonSessionsDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let sessions: [PersonSessionEntry]

    package init(sessions: [PersonSessionEntry]) {
        self.sessions = sessions
    }
}

/// `{"schema": 1, "ended": "4f1d0c9a83b2"}`.
package struct EndedSessionDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let ended: String

    package init(ended: String) {
        self.ended = ended
    }
}

/// A link that signs an admin in and works once.
package struct SignInLinkDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let url: String
    package let expires: Date

    package init(url: String, expires: Date) {
        self.url = url
        self.expires = expires
    }
}
