package import Access
package import Foundation
package import Identifiers

/// How people sign in, without the client's secret.
package struct SignInEntry: Codable, Equatable, Sendable {
    package let issuer: String
    package let clientID: String
    /// Whether a secret is kept.
    package let hasSecret: Bool
    package let name: String
    package let roleClaim: String?
    package let roles: [NewSignIn.Role]
    /// Who may sign in as a tester.
    package let testers: [NewSignIn.Tester]
    package let scopes: [String]
    package let changed: Date
    /// What the provider must know: where it sends browsers back to.
    package let callback: String?
    /// Where it may send a browser after a sign-out.
    package let afterSignOut: String?
    /// Where it announces sign-outs.
    package let backChannelLogout: String?

    /// - Parameters:
    ///   - settings: what is stored.
    ///   - callback: where the provider sends browsers back to; nil where the base URL is not known.
    ///   - afterSignOut: where it may send them after a sign-out.
    ///   - backChannelLogout: where it announces sign-outs.
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
    /// As people write it.
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
    /// As people write it.
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

/// What a provider says of itself, found by asking it.
package struct TriedSignInDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let issuer: String
    /// Keys that can be used.
    package let keys: Int
    /// Whether answers name their issuer (RFC 9207).
    package let namesIssuer: Bool
    /// Whether it announces sign-outs.
    package let announcesLogouts: Bool
    /// Whether it signs people out when they sign out here.
    package let endsSessions: Bool

    /// - Parameters:
    ///   - issuer: the provider.
    ///   - keys: how many of its keys can be used.
    ///   - namesIssuer: whether its answers name their issuer.
    ///   - announcesLogouts: whether it announces sign-outs.
    ///   - endsSessions: whether it signs people out on demand.
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

/// A session of a person, without anything that opens it.
package struct PersonSessionEntry: Codable, Equatable, Sendable {
    package let identifier: String
    package let name: String
    /// What the provider calls the person; nil for a session by link.
    package let subject: String?
    /// What the person has signed in for.
    package let purpose: PersonSession.Purpose
    /// What an admin may do; empty for a tester.
    package let scopes: [Scope]
    /// The groups that a tester is a member of because of the provider.
    package let groups: [GroupName]
    package let opened: Date
    package let expires: Date
    /// When the provider last confirmed it.
    package let confirmed: Date

    /// Nil for a session that opens nothing any more.
    ///
    /// - Parameters:
    ///   - session: as it is stored.
    ///   - settings: how people sign in.
    ///   - date: now.
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

/// A link that signs an admin in once.
package struct SignInLinkDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let url: String
    package let expires: Date

    package init(url: String, expires: Date) {
        self.url = url
        self.expires = expires
    }
}
