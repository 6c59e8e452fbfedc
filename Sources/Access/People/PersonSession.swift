package import Essentials

/// The session of a person, as the store keeps it: what the provider said last, and when.
///
/// The cookie carries its identifier, signed; all else stays on the server, so that a session ends wherever
/// its document is removed.
package struct PersonSession: Codable, Equatable, Sendable {
    /// Where the right to it came from.
    package enum Origin: Codable, Equatable, Sendable {
        /// A provider named the person.
        case provider(Person, clientID: String)
        /// Someone with access to the machine made a link for an admin; the name that it was made for.
        case link(name: String)
    }

    /// What a person has signed in for; nothing of the one is given to the other.
    package enum Purpose: String, Codable, Sendable {
        /// The admin's pages.
        case admin
        /// Apps that are open to people of the provider.
        case tester
    }

    /// Seconds that a session lasts whose rights can be confirmed again without the person.
    package static let lifetime: TimeInterval = 12 * 3600
    /// Seconds that one lasts which cannot be: then the browser asks the provider again.
    package static let unconfirmedLifetime: TimeInterval = 3600
    /// Seconds that a session by link lasts.
    package static let linkLifetime: TimeInterval = 3600
    /// Seconds after which the provider is asked again.
    package static let confirmation: TimeInterval = 600
    /// Seconds that a provider may be out of reach before sessions end.
    package static let patience: TimeInterval = 1800
    /// Seconds that a server has for asking, before another one does.
    package static let turn: TimeInterval = 30

    package var schema = 1
    /// 32 hexadecimal digits, behind a `t` where it is of a tester.
    package let identifier: String
    /// Nil in documents from before testers signed in, for ``Purpose/admin``.
    private let kind: Purpose?
    package var origin: Origin
    /// The provider's session (`sid`), which a logout may name.
    package let providerSession: String?
    /// What confirms the rights again; nil where the provider gave none.
    package var refreshToken: String?
    /// Names the session to the provider when the person signs out.
    package let identityToken: String?
    package let opened: Date
    package private(set) var expires: Date
    /// When the provider last confirmed it.
    package var confirmed: Date
    /// When a server began to ask the provider again.
    package var asked: Date?

    /// - Parameters:
    ///   - identifier: 32 hexadecimal digits; ``testerIdentifier(of:random:)`` for a tester.
    ///   - purpose: what the person has signed in for.
    ///   - origin: where the right to it came from.
    ///   - providerSession: the provider's name for its own session.
    ///   - refreshToken: what confirms the rights again.
    ///   - identityToken: names the session to the provider.
    ///   - lifetime: seconds.
    ///   - date: now.
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
        // Documents keep whole seconds.
        let start = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        opened = start
        expires = start.addingTimeInterval(lifetime)
        confirmed = start
    }

    /// What the person has signed in for.
    package var purpose: Purpose { kind ?? .admin }

    /// Ends an hour after it was opened, because the provider says nothing more of the person: it lasts no
    /// longer than one for which it gave no refresh token.
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

    /// Whether both are of one person, or were made by links for one name.
    package func isOfSamePerson(as other: PersonSession) -> Bool {
        switch (origin, other.origin) {
        case (.provider(let one, _), .provider(let two, _)): one.isSame(as: two)
        case (.link(let one), .link(let two)): one == two
        default: false
        }
    }

    /// As the activity names who acts in it.
    package var shownName: String {
        switch origin {
        case .provider(let person, _): person.shownName
        case .link(let name): name + " (by link)"
        }
    }

    /// Whether the provider should confirm it before it opens anything more.
    package func isDue(at date: Date) -> Bool {
        guard refreshToken != nil else { return false }
        return date.timeIntervalSince(confirmed) >= Self.confirmation
    }

    /// Whether it must not open anything until the provider has confirmed it.
    package func isOverdue(at date: Date) -> Bool {
        guard refreshToken != nil else { return false }
        return date.timeIntervalSince(confirmed) >= Self.confirmation + Self.patience
    }

    /// Who acts in it, with the rights that the settings give now.
    ///
    /// - Returns: nil for one that has ended, of another provider or client, or of a person without a role.
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
