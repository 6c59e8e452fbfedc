package import Access
import Bytes
import Cryptography
import Foundation
import Logging
import OpenID
import Problems
import Releases
import Store

/// What becomes of sessions: they are confirmed, and end.
extension PeopleSignIn {
    /// Who acts in a session, after the provider has confirmed it where that is due.
    ///
    /// A session whose person has no role any more, or that the provider no longer confirms, ends here.
    ///
    /// - Returns: nil for a session that has ended.
    /// - Throws: `StoreFailure`.
    package func principal(of session: Session) async throws -> Principal? {
        try await right(in: session.subject, for: .admin, else: "the person has no role") {
            $0.principal(under: $1, at: $2)
        }
    }

    /// What a person may see as a tester, after the provider has confirmed the session where that is due;
    /// a session ends here as in ``principal(of:)``.
    ///
    /// - Parameter identifier: of the session.
    /// - Returns: nil for a session that has ended, and for one that is not of a tester.
    /// - Throws: `StoreFailure`.
    package func testerRight(in identifier: String) async throws -> TesterRight? {
        try await right(in: identifier, for: .tester, else: "the person is not a tester") {
            $0.testerRight(under: $1, at: $2)
        }
    }

    /// The right that a session gives, after the provider has confirmed it where that is due.
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
            // A provider that is out of reach may answer again.
            guard current.expires <= now || !current.isOverdue(at: now) else { return nil }
            // One whose time is up can be renewed without a question: see `hasRunOut`.
            if current.expires > now { try end(current, because: reason) }
            return nil
        }
    }

    /// Whether the time of a session is up that nothing else has ended, so that the browser may ask the
    /// provider for a new one without a question to the person.
    ///
    /// - Parameter identifier: of the session.
    /// - Returns: false for a session that something else has ended.
    /// - Throws: `StoreFailure`.
    package func hasRunOut(_ identifier: String) throws -> Bool {
        try store.personSession(identifier).map { $0.expires <= clock() } ?? false
    }

    /// What a person may see as a tester, without asking the provider.
    ///
    /// - Parameter identifier: of the session.
    /// - Returns: nil as in ``testerRight(in:)``.
    /// - Throws: `StoreFailure`.
    package func knownTesterRight(in identifier: String) throws -> TesterRight? {
        try store.personSession(identifier)?
            .testerRight(under: store.signInSettings(), at: clock())
    }

    /// Whether a page that is open should be made again, so that the provider is asked about the session.
    ///
    /// - Parameter identifier: of the session.
    /// - Returns: false for a session that has ended.
    /// - Throws: `StoreFailure`.
    package func isWaiting(_ identifier: String) throws -> Bool {
        try store.personSession(identifier)?.isWaiting(at: clock()) ?? false
    }

    /// The same without asking the provider, for those who look often.
    package func knownPrincipal(of session: Session) throws -> Principal? {
        let found = try store.personSession(session.subject)
        return try found?.principal(under: store.signInSettings(), at: clock())
    }

    /// Ends a session because the person wants that.
    ///
    /// - Parameters:
    ///   - session: of the cookie.
    ///   - isEverywhere: whether all other sessions of the person end too.
    /// - Returns: the address at which the provider signs the person out too; nil where that cannot be asked for.
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

    /// Ends the sessions that a provider says are over.
    ///
    /// - Parameter token: the announcement, as it came.
    /// - Returns: how many ended.
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

    /// Ends a session that was opened although the provider announced its end while the code was exchanged:
    /// the announcement found nothing to end.
    ///
    /// - Parameters:
    ///   - session: was opened a moment ago.
    ///   - known: the announcements from before the exchange.
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

    /// Asks the provider, unless another request or server does already.
    ///
    /// - Returns: the session as it is then; nil where it has ended.
    private func confirm(_ session: PersonSession) async throws -> PersonSession? {
        let now = clock()
        guard let person = session.person, let refreshToken = session.refreshToken,
            let settings = try await settings(), settings.issuer == person.issuer
        else { return session }
        // The request that writes this first asks: many providers accept a refresh token only once.
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
    /// Whether a logout of `issuer` is about it: it names the provider's session, or the person alone.
    fileprivate func isMeant(by notice: LogoutNotice, of issuer: IssuerURL) -> Bool {
        guard let person, person.issuer == issuer else { return false }
        if let subject = notice.subject, !subject.isBytes(of: person.subject) { return false }
        guard let named = notice.providerSession else { return true }
        // Where the provider never named its session to us, a person's logout ends all.
        guard let providerSession else { return notice.subject != nil }
        return named.isBytes(of: providerSession)
    }
}
