package import Essentials

/// The session of a person as stored: what the provider last reported, and when.
///
/// The cookie contains only its signed identifier; everything else stays on the server, so that a session
/// ends as soon as its document is removed.
package struct PersonSession: Codable, Equatable, Sendable {
    /// How the session was authorised.
    package enum Origin: Codable, Equatable, Sendable {
        /// A provider identified the person.
        case provider(Person, clientID: String)
        /// Someone with access to the machine made a link for an admin, with this name.
        case link(name: String)
    }

    /// What a person has signed in for; neither purpose grants anything of the other.
    package enum Purpose: String, Codable, Sendable {
        /// The admin pages.
        case admin
        /// Apps that are open to the provider's users.
        case tester
    }

    /// The lifetime in seconds of a session that can be confirmed again without the person.
    package static let lifetime: TimeInterval = 12 * 3600
    /// The lifetime in seconds of a session that cannot be: the browser then asks the provider again.
    package static let unconfirmedLifetime: TimeInterval = 3600
    /// The lifetime in seconds of a session by link.
    package static let linkLifetime: TimeInterval = 3600
    /// Seconds after which the provider is asked for confirmation again.
    package static let confirmation: TimeInterval = 600
    /// Seconds for which a provider may be unreachable before sessions end.
    package static let patience: TimeInterval = 1800
    /// Seconds for which a server has the turn to ask, before another one does.
    package static let turn: TimeInterval = 30

    package var schema = 1
    /// 32 hexadecimal digits, preceded by a `t` for a tester.
    package let identifier: String
    /// Nil means ``Purpose/admin``, in documents from before testers could sign in.
    private let kind: Purpose?
    package var origin: Origin
    /// The provider's session (`sid`), which a logout token may name.
    package let providerSession: String?
    /// The token with which the session is confirmed again; nil if the provider issued none.
    package var refreshToken: String?
    /// The ID token, which names the session to the provider when the person signs out.
    package let identityToken: String?
    package let opened: Date
    package private(set) var expires: Date
    /// When the provider last confirmed the session.
    package var confirmed: Date
    /// When a server last began to ask the provider for confirmation.
    package var asked: Date?

    /// - Parameters:
    ///   - identifier: 32 hexadecimal digits; ``testerIdentifier(of:random:)`` for a tester.
    ///   - purpose: what the person has signed in for.
    ///   - origin: how the session was authorised.
    ///   - providerSession: the provider's identifier of its own session.
    ///   - refreshToken: the token with which the session is confirmed again.
    ///   - identityToken: the ID token, for signing out at the provider.
    ///   - lifetime: the lifetime in seconds.
    ///   - date: the current time.
    package init(
        identifier: String,
        for purpose: Purpose = .admin,
        origin: Origin,
        providerSession: String? = nil,
        refreshToken: String? = nil,
        identityToken: String? = nil,
        lifetime: TimeInterval,
        at date: Date,
    ) {
        self.identifier = identifier
        kind = purpose == .admin ? nil : purpose
        self.origin = origin
        self.providerSession = providerSession
        self.refreshToken = refreshToken
        self.identityToken = identityToken
        // Documents have whole seconds.
        let start = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        opened = start
        expires = start.addingTimeInterval(lifetime)
        confirmed = start
    }

    /// What the person has signed in for.
    package var purpose: Purpose { kind ?? .admin }

    /// Limits the session to an hour after it was opened, because the provider no longer confirms it: it
    /// lasts no longer than one without a refresh token.
    package mutating func endUnconfirmed() {
        refreshToken = nil
        asked = nil
        expires = min(expires, opened.addingTimeInterval(Self.unconfirmedLifetime))
    }

    /// The person; nil for a session by link.
    package var person: Person? {
        switch origin {
        case .provider(let person, _): person
        case .link: nil
        }
    }

    /// Whether both are sessions of the same person, or were opened by links with the same name.
    package func isOfSamePerson(as other: PersonSession) -> Bool {
        switch (origin, other.origin) {
        case (.provider(let one, _), .provider(let two, _)): one.isSame(as: two)
        case (.link(let one), .link(let two)): one == two
        default: false
        }
    }

    /// The actor's name in the activity.
    package var shownName: String {
        switch origin {
        case .provider(let person, _): person.shownName
        case .link(let name): name + " (by link)"
        }
    }

    /// Whether the provider should confirm the session before it grants further access.
    package func isDue(at date: Date) -> Bool {
        guard refreshToken != nil else { return false }
        return date.timeIntervalSince(confirmed) >= Self.confirmation
    }

    /// Whether the session must not grant access until the provider has confirmed it.
    package func isOverdue(at date: Date) -> Bool {
        guard refreshToken != nil else { return false }
        return date.timeIntervalSince(confirmed) >= Self.confirmation + Self.patience
    }

    /// The actor in the session, with the rights according to the current settings.
    ///
    /// - Returns: nil if the session has ended, is from another provider or client, or the person has no
    ///   role.
    package func principal(under settings: SignInSettings?, at date: Date) -> Principal? {
        guard purpose == .admin, date < expires, !isOverdue(at: date) else { return nil }
        switch origin {
        case .link:
            return Principal(session: identifier, name: shownName, scopes: [Scope(.admin)])
        case .provider(let person, let clientID):
            guard let settings, settings.clientID == clientID else { return nil }
            let rights = settings.rights(of: person)
            guard !rights.isEmpty else { return nil }
            return Principal(
                session: identifier,
                of: person,
                name: shownName,
                scopes: rights,
            )
        }
    }
}
