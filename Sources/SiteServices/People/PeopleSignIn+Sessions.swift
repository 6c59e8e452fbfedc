package import Access
import Bytes
import Cryptography
import Foundation
import Logging
import OpenID
import Problems
import Releases
import Store

/// Confirming and ending sessions.
extension PeopleSignIn {
    /// Returns the user of a session, after the provider has confirmed the session if that is due.
    ///
    /// A session ends here if its person no longer has a role, or if the provider does not confirm it.
    ///
    /// - Returns: nil for a session that has ended.
    /// - Throws: `StoreFailure`.
    package func principal(of session: Session) async throws -> Principal? {
        try await right(in: session.subject, for: .admin, else: "the person has no role") {
            $0.principal(under: $1, at: $2)
        }
    }

    /// Returns what a person may see as a tester, after the provider has confirmed the session if that is
    /// due.
    ///
    /// A session ends here as in ``principal(of:)``.
    ///
    /// - Parameter identifier: the session's identifier.
    /// - Returns: nil for a session that has ended, and for one that is not a tester's.
    /// - Throws: `StoreFailure`.
    package func testerRight(in identifier: String) async throws -> TesterRight? {
        try await right(in: identifier, for: .tester, else: "the person is not a tester") {
            $0.testerRight(under: $1, at: $2)
        }
    }

    /// Returns the rights of a session, after the provider has confirmed the session if that is due.
    private func right<Right: Sendable>(
        in identifier: String,
        for purpose: PersonSession.Purpose,
        else reason: String,
        _ judge: @escaping @Sendable (PersonSession, SignInSettings?, Date) -> Right?,
    ) async throws -> Right? {
        guard var found = try await work({ [store] in try store.personSession(identifier) }),
            found.purpose == purpose
        else { return nil }
        if found.isDue(at: clock()) {
            guard let confirmed = try await confirm(found) else { return nil }
            found = confirmed
        }
        let current = found
        let now = clock()
        return try await work { [self] in
            let settings = try store.signInSettings()
            if let right = judge(current, settings, now) { return right }
            // The provider may only be unreachable for now.
            guard current.expires <= now || !current.isOverdue(at: now) else { return nil }
            // An expired session can be renewed without asking the person: see `hasRunOut`.
            if current.expires > now { try end(current, because: reason) }
            return nil
        }
    }

    /// Returns whether a session has only expired, so that the browser may ask the provider for a new one
    /// without asking the person.
    ///
    /// - Parameter identifier: the session's identifier.
    /// - Returns: false for a session that was ended for another reason.
    /// - Throws: `StoreFailure`.
    package func hasRunOut(_ identifier: String) throws -> Bool {
        try store.personSession(identifier).map { $0.expires <= clock() } ?? false
    }

    /// Returns what a person may see as a tester, without asking the provider.
    ///
    /// - Parameter identifier: the session's identifier.
    /// - Returns: nil as in ``testerRight(in:)``.
    /// - Throws: `StoreFailure`.
    package func knownTesterRight(in identifier: String) throws -> TesterRight? {
        try store.personSession(identifier)?
            .testerRight(under: store.signInSettings(), at: clock())
    }

    /// Returns whether an open page should reload, so that the provider is asked about the session.
    ///
    /// - Parameter identifier: the session's identifier.
    /// - Returns: false for a session that has ended.
    /// - Throws: `StoreFailure`.
    package func isWaiting(_ identifier: String) throws -> Bool {
        try store.personSession(identifier)?.isWaiting(at: clock()) ?? false
    }

    /// Returns the user of a session without asking the provider, for callers that check often.
    package func knownPrincipal(of session: Session) throws -> Principal? {
        let found = try store.personSession(session.subject)
        return try found?.principal(under: store.signInSettings(), at: clock())
    }

    /// Ends a session because the person signs out.
    ///
    /// - Parameters:
    ///   - session: the session of the cookie.
    ///   - isEverywhere: whether all other sessions of the person end too.
    /// - Returns: the URL at which the provider signs the person out too; nil if the provider has none.
    /// - Throws: `StoreFailure`.
    package func signOut(_ session: Session, isEverywhere: Bool) async throws -> String? {
        let found = try await work { [self] () -> PersonSession? in
            guard let found = try store.personSession(session.subject) else { return nil }
            let all = isEverywhere ? try store.personSessions() : []
            let others = all.filter { other in
                other.identifier != found.identifier && found.isOfSamePerson(as: other)
            }
            for ended in [found] + others { _ = try store.endPersonSession(ended.identifier) }
            let now = clock()
            try store.record(
                Activity(
                    date: now,
                    actor: found.shownName,
                    event: .signedOut,
                    subject: found.shownName,
                    detail: isEverywhere ? "everywhere" : nil,
                )
            )
            return found
        }
        guard let token = found?.identityToken, let settings = try await settings(),
            found?.person?.issuer == settings.issuer,
            let address = try? await metadata(of: settings).endSessionEndpoint
        else { return nil }
        // OpenID Connect RP-Initiated Logout 1.0 section 2.
        let query = FormText.text([
            ("id_token_hint", token), ("client_id", settings.clientID),
            ("post_logout_redirect_uri", links.absolute("/admin/sign-in")),
        ])
        return address + (address.contains("?") ? "&" : "?") + query
    }

    /// Ends the sessions that a provider's back-channel logout names.
    ///
    /// - Parameter token: the logout token, as received.
    /// - Returns: how many sessions ended.
    /// - Throws: ``SignInRefusal``, and `StoreFailure`.
    package func logout(announcedBy token: String) async throws -> Int {
        guard let settings = try await settings() else { throw SignInRefusal(.notSetUp) }
        let notice = try await provider(settings.issuer).logout(
            announcedBy: token,
            to: settings.client,
        )
        let mark = LogoutMark(of: notice, from: settings.issuer)
        let now = clock()
        return try await work { [self] in
            guard try store.use(mark.text, until: notice.end, at: now) else {
                throw SignInRefusal(.usedLogout)
            }
            let ended = try store.personSessions().filter {
                $0.isMeant(by: notice, of: settings.issuer)
            }
            for session in ended {
                try end(session, because: "the provider signed the person out")
            }
            return ended.count
        }
    }

    /// Ends a new session whose end the provider announced during the code exchange, when there was no
    /// session to end yet.
    ///
    /// - Parameters:
    ///   - session: the session, which has just been opened.
    ///   - known: the logout marks from before the exchange.
    /// - Throws: ``SignInRefusal/Reason/denied``, and `StoreFailure`.
    func checkLogout(during session: PersonSession, since known: Set<String>) async throws {
        let now = clock()
        let isOver = try await work { [self] in
            let marks = try store.usedMarks(beginningWith: LogoutMark.start, at: now)
            let isMeant = marks.subtracting(known).contains {
                LogoutMark($0)?.means(session) ?? false
            }
            if isMeant { try end(session, because: "the provider signed the person out") }
            return isMeant
        }
        if isOver { throw SignInRefusal(.denied, "it has signed the person out again") }
    }

    // MARK: Parts

    /// Asks the provider, unless another request or server is doing so already.
    ///
    /// - Returns: the updated session; nil if it has ended.
    private func confirm(_ session: PersonSession) async throws -> PersonSession? {
        let now = clock()
        guard let person = session.person, let refreshToken = session.refreshToken,
            let settings = try await settings(), settings.issuer == person.issuer
        else { return session }
        // The first request to write `asked` asks: many providers accept a refresh token only once.
        let claimed = try await work { [store] () -> PersonSession? in
            var isOurs = false
            let changed = try store.changePersonSession(session.identifier) { record in
                isOurs =
                    record.confirmed == session.confirmed
                    && record.asked.map { abs(now.timeIntervalSince($0)) >= PersonSession.turn }
                        ?? true
                if isOurs { record.asked = now }
            }
            return isOurs ? changed : nil
        }
        guard claimed != nil else {
            return try await work { [store] in try store.personSession(session.identifier) }
        }
        do throws(SignInRefusal) {
            let proven = try await provider(settings.issuer).confirmation(
                with: refreshToken,
                of: person,
                identityToken: session.identityToken ?? "",
                as: settings.client,
                roleClaim: settings.roleClaim,
            )
            return try await keep(proven, in: session)
        } catch {
            guard error.kind == .unauthorised else {
                logger.warning(
                    "a session could not be confirmed",
                    metadata: ["problem": "\(error.id)", "reason": "\(error)"],
                )
                return session
            }
            try await work { [self] in
                try end(session, because: "the provider does not confirm it: \(error)")
            }
            return nil
        }
    }

    private func keep(
        _ proven: ProvenIdentity,
        in session: PersonSession,
    ) async throws(SignInRefusal) -> PersonSession? {
        do {
            return try await work { [self] in
                let now = clock()
                return try store.changePersonSession(session.identifier) { record in
                    guard case .provider(_, let clientID) = record.origin else { return }
                    guard proven.refreshToken != nil else { return record.endUnconfirmed() }
                    record.origin = .provider(proven.person, clientID: clientID)
                    record.refreshToken = proven.refreshToken
                    record.confirmed = Date(
                        timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down)
                    )
                    record.asked = nil
                }
            }
        } catch {
            throw SignInRefusal(.unreachable, "what it said could not be kept")
        }
    }

    private func end(_ session: PersonSession, because reason: String?) throws {
        guard try store.endPersonSession(session.identifier), let reason else { return }
        logger.notice(
            "a session was ended",
            metadata: ["person": "\(session.shownName)", "reason": "\(reason)"],
        )
        try store.record(
            Activity(
                date: clock(),
                actor: "ota",
                event: .signedOut,
                subject: session.shownName,
                detail: reason,
            )
        )
    }
}

extension PersonSession {
    /// Returns whether a logout of `issuer` applies: it names the provider's session, or only the person.
    fileprivate func isMeant(by notice: LogoutNotice, of issuer: IssuerURL) -> Bool {
        guard let person, person.issuer == issuer else { return false }
        if let subject = notice.subject, !subject.isBytes(of: person.subject) { return false }
        guard let named = notice.providerSession else { return true }
        // If the provider never sent its session's identifier, a logout of the person ends all of them.
        guard let providerSession else { return notice.subject != nil }
        return named.isBytes(of: providerSession)
    }
}
