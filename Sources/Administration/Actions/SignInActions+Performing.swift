package import APIDocuments
import Access
import Bundles
import Bytes
import Cryptography
import Foundation
import HTTPCalling
import Identifiers
import OpenID
import Problems
package import Releases
import Store

extension Actions {
    static let signIn: [any PerformedAction.Type] = [
        ShowSignIn.self, SetSignIn.self, RemoveSignIn.self, TestSignIn.self,
        ListPersonSessions.self, EndPersonSession.self,
    ]
}

extension ShowSignIn: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> SignInDocument {
        let settings = try administration.admin.signInSettings()
        return SignInDocument(signIn: try administration.entry(of: settings))
    }
}

extension SetSignIn: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> SignInDocument {
        let admin = administration.admin
        var made: SignInSettings?
        try admin.store.changeSignIn { register in
            let settings = try admin.settings(content, replacing: register.settings)
            register.settings = settings
            made = settings
        } recording: {
            guard let made else { return [] }
            let detail =
                Wording.count(made.grants.count, "role")
                + (made.testers.map {
                    ", \(Wording.count($0.count, "tester rule"))"
                }
                    ?? "")
            return [admin.activity(.signInSet, made.name, detail: detail, at: made.changed)]
        }
        guard let made else { throw SignInRefusal(.notSetUp) }
        return SignInDocument(signIn: try administration.entry(of: made))
    }
}

extension RemoveSignIn: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> SignInDocument {
        let admin = administration.admin
        var removed: SignInSettings?
        try admin.store.changeSignIn { register in
            guard let settings = register.settings else { throw SignInRefusal(.notSetUp) }
            removed = settings
            register.settings = nil
        } recording: {
            removed.map { [admin.activity(.signInRemoved, $0.name, at: admin.clock())] } ?? []
        }
        guard let removed else { throw SignInRefusal(.notSetUp) }
        // Without settings these sessions grant no access; ending them removes the providers' data that
        // they contain.
        for session in try admin.store.personSessions() where session.person != nil {
            _ = try admin.store.endPersonSession(session.identifier)
        }
        return SignInDocument(signIn: try administration.entry(of: removed))
    }
}

extension TestSignIn: WaitingAction {
    package func perform(
        in administration: LocalAdministration
    ) async throws -> TriedSignInDocument {
        let admin = administration.admin
        let settings = try admin.signInSettings()
        let transport: any CallTransport
        if let given = administration.providers {
            transport = given
        } else {
            do throws(CallTrouble) {
                transport = try CallClient(connecting: 5)
            } catch {
                throw SignInRefusal(.unreachable, "TLS cannot be used")
            }
        }
        let provider = OpenIDProvider(settings.issuer, through: transport, now: admin.clock)
        let (metadata, keys) = try await provider.tryOut()
        return TriedSignInDocument(
            issuer: metadata.issuer.text,
            keys: keys,
            namesIssuer: metadata.namesIssuerInAnswers,
            announcesLogouts: metadata.announcesLogouts,
            endsSessions: metadata.endSessionEndpoint != nil,
        )
    }
}

extension ListPersonSessions: StoreAction {
    package func perform(
        in administration: LocalAdministration
    ) throws -> PersonSessionsDocument {
        let admin = administration.admin
        let settings = try admin.store.signInSettings()
        let now = admin.clock()
        let entries = try admin.store.personSessions().compactMap { session in
            admins && session.purpose == .tester
                ? nil : PersonSessionEntry(session, under: settings, at: now)
        }
        return PersonSessionsDocument(sessions: entries.sorted { $0.opened > $1.opened })
    }
}

extension EndPersonSession: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> EndedSessionDocument {
        let admin = administration.admin
        let named = try admin.store.personSessions().filter {
            session.utf8.count >= 12 && $0.identifier.hasPrefix(session)
        }
        guard let found = named.first, named.count == 1,
            try admin.store.endPersonSession(found.identifier)
        else { throw SettingsRefusal.unknownSession(session) }
        if everywhere {
            for other in try admin.store.personSessions() where found.isOfSamePerson(as: other) {
                _ = try admin.store.endPersonSession(other.identifier)
            }
        }
        let detail = everywhere ? "everywhere" : nil
        try admin.store.record(
            admin.activity(.signedOut, found.shownName, detail: detail, at: admin.clock())
        )
        return EndedSessionDocument(ended: String(found.identifier.prefix(12)))
    }
}

extension Administrator {
    /// Makes a link that signs an admin in once, within ten minutes, for an hour.
    ///
    /// - Parameters:
    ///   - name: the admin's name in the activity.
    ///   - base: the server's URL.
    /// - Returns: the link, which is not stored.
    /// - Throws: ``SettingsRefusal/badLinkName(_:)``, and `StoreFailure`.
    package func makeSignInLink(for name: String, at base: BaseURL) throws -> SignInLinkDocument {
        let now = clock()
        let end = now.addingTimeInterval(TimeInterval(Session.Kind.link.lifetime))
        let sessions = SessionAuthority(key: try store.sessionKey())
        guard name.utf8.count <= 60,
            let link = Session(
                kind: .link,
                subject: name,
                generation: Hex.encode(randomBytes(16)),
                expires: end,
            )
        else { throw SettingsRefusal.badLinkName(name) }
        try store.record(activity(.signInLinkMade, name, at: now))
        return SignInLinkDocument(
            url: Links(base: base).absolute("/sign-in/link/" + sessions.value(of: link)),
            expires: end,
        )
    }

    fileprivate func signInSettings() throws -> SignInSettings {
        guard let settings = try store.signInSettings() else { throw SignInRefusal(.notSetUp) }
        return settings
    }

    fileprivate func settings(
        _ new: NewSignIn,
        replacing old: SignInSettings?,
    ) throws -> SignInSettings {
        guard let issuer = IssuerURL(new.issuer) else {
            throw SettingsRefusal.badIssuer(new.issuer)
        }
        guard Self.isToken(new.clientID, atMost: 256) else { throw SettingsRefusal.badClient }
        if let secret = new.clientSecret {
            guard Self.isToken(secret, atMost: 1024) else { throw SettingsRefusal.badSecret }
        }
        let isSame = old?.issuer == issuer && old?.clientID == new.clientID
        let kept = isSame && new.isPublicClient != true ? old?.clientSecret : nil
        // A client must explicitly be a public one; a missing secret may just have been forgotten.
        let staysPublic = isSame && old?.clientSecret == nil
        guard new.isPublicClient == true || staysPublic || (new.clientSecret ?? kept) != nil else {
            throw AdministrationRefusal.noClientSecret
        }
        let name = new.name ?? issuer.host
        guard PrintableText.isName(name, limit: new.name == nil ? 512 : 40) else {
            throw SettingsRefusal.badName(name)
        }
        for scope in new.scopes ?? [] {
            guard Self.isToken(scope, atMost: 64), !scope.contains("\""), !scope.contains("\\")
            else { throw SettingsRefusal.badScope(scope) }
        }
        guard (new.scopes ?? []).count <= 20 else { throw SettingsRefusal.badScope("more than 20") }
        if let claim = new.roleClaim {
            guard PrintableText.isName(claim, limit: 128) else {
                throw SettingsRefusal.badClaim(claim)
            }
        }
        let testers = new.testers ?? []
        guard !new.roles.isEmpty || !testers.isEmpty else { throw SettingsRefusal.noRole }
        guard testers.count <= SignInSettings.grantLimit else {
            throw SettingsRefusal.tooManyTesters(SignInSettings.grantLimit)
        }
        guard new.roles.count <= SignInSettings.grantLimit else {
            throw SettingsRefusal.tooManyRoles(SignInSettings.grantLimit)
        }
        return SignInSettings(
            issuer: issuer,
            clientID: new.clientID,
            clientSecret: new.clientSecret ?? kept,
            name: name,
            roleClaim: new.roleClaim,
            grants: try new.roles.map { try grant($0, hasClaim: new.roleClaim != nil) },
            testers: try testers.map { try tester($0, hasClaim: new.roleClaim != nil) },
            scopes: new.scopes ?? [],
            changed: Date(timeIntervalSince1970: clock().timeIntervalSince1970.rounded(.down)),
        )
    }

    private func grant(_ new: NewSignIn.Role, hasClaim: Bool) throws -> RoleGrant {
        guard new.role != .admin || new.app == nil else { throw SettingsRefusal.adminOfOneApp }
        let subject: RoleGrant.Subject
        switch (new.person, new.claim) {
        case (let person?, nil):
            guard let listed = RoleGrant.Subject(listed: person) else {
                throw SettingsRefusal.badPerson(person)
            }
            subject = listed
        case (nil, let value?):
            guard hasClaim else { throw SettingsRefusal.noClaim }
            guard let claimed = RoleGrant.Subject(claimed: value) else {
                throw SettingsRefusal.badValue(value)
            }
            subject = claimed
        default: throw SettingsRefusal.badSubject
        }
        return RoleGrant(
            new.role,
            on: try new.app.map { try app(named: $0).bundleIdentifier },
            to: subject,
        )
    }

    private func tester(_ new: NewSignIn.Tester, hasClaim: Bool) throws -> TesterGrant {
        try check(groups: new.group.map { [$0] } ?? [])
        switch (new.person, new.claim) {
        case (let person?, nil):
            guard let listed = TesterGrant.Subject(listed: person) else {
                throw SettingsRefusal.badTester(person)
            }
            return TesterGrant(in: new.group, to: listed)
        case (nil, let value?):
            guard hasClaim else { throw SettingsRefusal.noClaim }
            guard let claimed = RoleGrant.Subject(claimed: value) else {
                throw SettingsRefusal.badValue(value)
            }
            return TesterGrant(in: new.group, to: .known(claimed))
        default: throw SettingsRefusal.badTesterSubject
        }
    }

    /// Whether a text is printable ASCII without spaces.
    private static func isToken(_ text: String, atMost limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension LocalAdministration {
    fileprivate func entry(of settings: SignInSettings) throws -> SignInEntry {
        let links = try baseURL().map { Links(base: $0) }
        return SignInEntry(
            settings,
            callback: links?.absolute("/sign-in/callback"),
            afterSignOut: links?.absolute("/admin/sign-in"),
            backChannelLogout: links?.absolute("/sign-in/back-channel-logout"),
        )
    }
}
