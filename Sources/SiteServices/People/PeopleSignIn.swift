package import Access
import Bytes
import Cryptography
package import Foundation
package import HTTPCalling
package import Logging
import NIOPosix
package import OpenID
package import Releases
package import Store
import Synchronization

/// Signs people in and out through an OpenID provider, and has the provider confirm their sessions.
package final class PeopleSignIn: Sendable {
    /// The query parameters of a callback by name; a parameter that occurs twice is left out.
    package typealias Answer = [String: String]

    let store: OTAStore
    let sessions: SessionAuthority
    let links: Links
    let clock: @Sendable () -> Date
    let logger: Logger
    /// Sends requests to providers.
    package let transport: any CallTransport
    private let known = Mutex<OpenIDProvider?>(nil)

    /// - Parameters:
    ///   - store: stores the settings and the sessions.
    ///   - sessions: creates and verifies the values of cookies.
    ///   - links: builds URLs below the base URL.
    ///   - transport: sends requests to providers.
    ///   - clock: returns the current time.
    ///   - logger: logs refusals.
    package init(
        store: OTAStore,
        sessions: SessionAuthority,
        links: Links,
        transport: any CallTransport,
        clock: @escaping @Sendable () -> Date,
        logger: Logger,
    ) {
        self.store = store
        self.sessions = sessions
        self.links = links
        self.transport = transport
        self.clock = clock
        self.logger = logger
    }

    /// The redirect URI to which providers return browsers.
    package var callbackAddress: String { links.absolute(PeopleLinks.callback) }

    /// Returns the sign-in settings; nil if sign-in is not set up.
    package func settings() async throws -> SignInSettings? {
        try await work { [store] in try store.signInSettings() }
    }

    /// Returns the provider's metadata, which is cached for an hour.
    ///
    /// - Throws: ``SignInRefusal``.
    package func metadata(
        of settings: SignInSettings
    ) async throws(SignInRefusal) -> ProviderMetadata {
        try await provider(settings.issuer).metadata()
    }

    // MARK: Signing in

    /// Starts a sign-in.
    ///
    /// - Parameters:
    ///   - path: the path of this server to open afterwards.
    ///   - purpose: what the person signs in for.
    ///   - isSilent: whether the provider must answer without showing anything (`prompt=none`).
    /// - Returns: the provider's URL to open, and the value of the cookie that the callback must have.
    /// - Throws: ``SignInRefusal``, and `StoreFailure`.
    package func begin(
        leadingTo path: String,
        for purpose: PersonSession.Purpose = .admin,
        isSilent: Bool,
    ) async throws -> (address: String, cookie: String) {
        guard let settings = try await settings() else { throw SignInRefusal(.notSetUp) }
        let metadata = try await metadata(of: settings)
        let attempt = SignInAttempt(
            with: settings,
            leadingTo: path,
            for: purpose,
            isSilent: isSilent,
            at: clock(),
            random: randomBytes,
        )
        var query = [
            ("response_type", "code"), ("response_mode", "query"),
            ("client_id", settings.clientID), ("redirect_uri", callbackAddress),
            ("scope", (["openid", "email", "profile"] + settings.scopes).joined(separator: " ")),
            ("state", attempt.state), ("nonce", attempt.nonce),
            ("code_challenge", attempt.challenge), ("code_challenge_method", "S256"),
        ]
        if isSilent { query.append(("prompt", "none")) }
        let endpoint = metadata.authorizationEndpoint
        guard let cookie = sessions.seal(attempt) else { throw SignInRefusal(.noState) }
        return (
            endpoint + (endpoint.contains("?") ? "&" : "?") + FormText.text(query), cookie,
        )
    }

    /// Returns the sign-in attempt in a browser's cookie, if the callback belongs to it.
    ///
    /// - Throws: ``SignInRefusal``: `noState` and `wrongState`.
    package func attempt(
        of answer: Answer,
        cookie: String?,
    ) throws(SignInRefusal) -> SignInAttempt {
        guard let attempt = cookie.flatMap({ sessions.attempt($0, at: clock()) }) else {
            throw SignInRefusal(.noState)
        }
        guard let state = answer["state"],
            constantTimeEqual(Array(state.utf8), Array(attempt.state.utf8))
        else { throw SignInRefusal(.wrongState) }
        return attempt
    }

    /// Completes a sign-in with the provider's answer.
    ///
    /// - Throws: ``SignInRefusal``, and `StoreFailure`.
    package func finish(
        _ attempt: SignInAttempt,
        with answer: Answer,
    ) async throws -> PersonSession {
        guard let settings = try await settings() else { throw SignInRefusal(.notSetUp) }
        guard attempt.issuer == settings.issuer, attempt.clientID == settings.clientID else {
            throw SignInRefusal(.mixedUp, "the provider was changed in the meantime")
        }
        let metadata = try await metadata(of: settings)
        // RFC 9207 section 2.4.
        if let named = answer["iss"] {
            guard named.isBytes(of: settings.issuer.text) else {
                throw SignInRefusal(.mixedUp, PrintableText(escaping: named, limit: 100).text)
            }
        } else if metadata.namesIssuerInAnswers {
            throw SignInRefusal(.mixedUp, "it names none")
        }
        // Anyone can send an error to the callback; it signs no one in, so it does not use up the
        // attempt.
        if let error = answer["error"] {
            throw SignInRefusal(.denied, PrintableText(escaping: error, limit: 60).text)
        }
        let now = clock()
        guard
            try await work({ [store] in
                try store.use(attempt.mark, until: attempt.expires, at: now)
            })
        else { throw SignInRefusal(.usedState) }
        guard let code = answer["code"], (1...4096).contains(code.utf8.count) else {
            throw SignInRefusal(.noCode)
        }
        let announced = try await work { [store] in
            try store.usedMarks(beginningWith: LogoutMark.start, at: now)
        }
        let proven = try await provider(settings.issuer).identity(
            for: code,
            of: attempt,
            redirect: callbackAddress,
            as: settings.client,
            roleClaim: settings.roleClaim,
        )
        let person = proven.person
        switch attempt.purpose {
        case .admin where settings.rights(of: person).isEmpty:
            throw SignInRefusal(.noRole, person.shownName)
        case .tester where settings.testerRight(of: person) == nil:
            throw SignInRefusal(.noTester, person.shownName)
        case .admin, .tester: break
        }
        let session = PersonSession(
            identifier: attempt.purpose == .admin
                ? Hex.encode(randomBytes(16))
                : PersonSession.testerIdentifier(of: person, random: randomBytes(8)),
            for: attempt.purpose,
            origin: .provider(proven.person, clientID: settings.clientID),
            providerSession: proven.providerSession,
            refreshToken: proven.refreshToken,
            // A longer token does not fit in the URL of a sign-out.
            identityToken: proven.identityToken.utf8.count <= 8192 ? proven.identityToken : nil,
            lifetime: proven.refreshToken == nil
                ? PersonSession.unconfirmedLifetime : PersonSession.lifetime,
            at: now,
        )
        let detail = (attempt.purpose == .tester ? "as a tester: " : "") + person.identity
        try await open(session, .signedIn, detail: detail)
        try await checkLogout(during: session, since: announced)
        return session
    }

    /// Signs a person in with a link that was created on the server's machine.
    ///
    /// - Throws: ``SignInRefusal/Reason/usedLink``, and `StoreFailure`.
    package func finish(withLink value: String) async throws -> PersonSession {
        let now = clock()
        guard let link = sessions.session(value, at: now), link.kind == .link else {
            throw SignInRefusal(.usedLink)
        }
        // The mark is made of what was signed rather than of the text, which also verifies in another
        // letter case.
        let signed =
            "ota link\0\(link.subject)\0\(link.generation)\0\(link.expires.timeIntervalSince1970)"
        let mark = UsedMarks.lasting + SHA256Digest(of: Array(signed.utf8)).description
        guard try await work({ [store] in try store.use(mark, until: link.expires, at: now) })
        else { throw SignInRefusal(.usedLink) }
        let session = PersonSession(
            identifier: Hex.encode(randomBytes(16)),
            origin: .link(name: link.subject),
            lifetime: PersonSession.linkLifetime,
            at: now,
        )
        try await open(session, .signedIn, detail: "by a link from the server’s machine")
        return session
    }

    /// Returns the session to put into the cookie for a person's session.
    package func cookieSession(of session: PersonSession) -> Session? {
        Session(
            kind: session.purpose == .tester ? .tester : .person,
            subject: session.identifier,
            generation: Hex.encode(randomBytes(4)),
            expires: session.expires,
        )
    }

    private func open(
        _ session: PersonSession,
        _ event: Activity.Event,
        detail: String,
    ) async throws {
        let now = clock()
        let isOpen = try await work { [store] in
            try store.open(session, at: now) {
                [
                    Activity(
                        date: now,
                        actor: session.shownName,
                        event: event,
                        subject: session.shownName,
                        detail: detail,
                    )
                ]
            }
        }
        guard isOpen else { throw SignInRefusal(.tooMany) }
    }

    // MARK: Parts

    func provider(_ issuer: IssuerURL) -> OpenIDProvider {
        known.withLock { known in
            if let known, known.issuer == issuer { return known }
            let provider = OpenIDProvider(issuer, through: transport, now: clock)
            known = provider
            return provider
        }
    }

    func work<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}

/// Paths of signing in through a provider, below the base URL.
package enum PeopleLinks {
    /// Starts an admin's sign-in.
    package static let start = "/sign-in"
    /// Starts a tester's sign-in.
    package static let testerStart = "/sign-in/testers"
    /// Signs a tester out.
    package static let testerEnd = "/sign-out"
    /// The callback, to which a provider returns the browser.
    package static let callback = "/sign-in/callback"
    /// Receives a provider's back-channel logout.
    package static let logout = "/sign-in/back-channel-logout"
    /// The folder of sign-in links for admins.
    package static let link = "/sign-in/link"
}

extension SignInSettings {
    /// This server as a client of the provider.
    package var client: ClientIdentity { ClientIdentity(clientID, secret: clientSecret) }
}
