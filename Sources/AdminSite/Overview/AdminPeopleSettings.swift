import APIDocuments
import Access
import Administration
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import OpenID
import Pages
import Problems
import Releases
import SiteServices
import Store

/// The page of sign-in settings and sessions, and its forms; for admins of everything.
struct AdminPeopleSettings: Sendable {
    /// The most sessions that the page shows.
    private static let shown = 100
    /// The most bytes of the form; lists of a thousand entries fit.
    private static let formSize = 256 << 10

    let gate: AdminGate

    /// The routes, relative to `/admin`.
    var table: AdminRoutes.Table {
        [
            Route("/people", [.get: page, .post: set]),
            Route("/people/test", [.get: back, .post: test]),
            Route("/people/remove", [.post: remove]),
            Route("/people/{session}/end", [.post: end(isEverywhere: false)]),
            Route("/people/{session}/end-everywhere", [.post: end(isEverywhere: true)]),
        ]
    }

    /// Answers `GET /admin/people?testers=`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let showsTesters = request.uri.queryParameters["testers"] != "0"
        return try await gate.page(request, context, in: .tokens) { visit in
            try Self.page(visit, showsTesters: showsTesters)
        }
    }

    /// Answers `GET` at the URL of the test's result, which may be bookmarked, with a redirect.
    @Sendable func back(_ request: Request, _ context: RouteContext) async throws -> Response {
        AdminGate.redirect(to: gate.links.people)
    }

    /// Answers `POST /admin/people`; replaces the settings.
    @Sendable func set(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(request, context, in: .tokens, atMost: Self.formSize) { visit, form in
            var draft = PeoplePage.Draft(form)
            do {
                let name = try visit.perform(SetSignIn(try NewSignIn(form))).signIn.name
                return .done("People sign in with \(name).", goingTo: visit.links.people)
            } catch {
                guard let problem = Problem(ofForm: error) else { throw error }
                draft.problem = PageProblem(problem)
                return .again(try Self.page(visit, draft: draft), problem.kind.status)
            }
        }
    }

    /// Answers `POST /admin/people/test` with the result of each step.
    @Sendable func test(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(
            request,
            context,
            in: .tokens,
            preparing: { visit, _ in await Self.tried(visit) },
        ) { visit, _, tried in
            .again(try Self.page(visit, tried: try tried.get()), .ok)
        }
    }

    /// Answers `POST /admin/people/remove`.
    @Sendable func remove(_ request: Request, _ context: RouteContext) async throws -> Response {
        let people = gate.site.people
        return try await gate.action(request, context, in: .tokens) { visit, _ in
            let name = try visit.perform(RemoveSignIn()).signIn.name
            let message = "Sign-in with \(name) removed; tokens keep working."
            // An admin who signed in through the provider is signed out too.
            let isOver =
                try visit.session.kind == .person
                && people.knownPrincipal(of: visit.session) == nil
            return isOver
                ? .elsewhere(visit.links.signIn) : .done(message, goingTo: visit.links.people)
        }
    }

    /// Answers the `POST` of a session's button.
    private func end(isEverywhere: Bool) -> RouteHandler {
        { request, context in
            let session = try context.text("session")
            return try await gate.action(request, context, in: .tokens) { visit, _ in
                try visit.perform(EndPersonSession(session, isEverywhere: isEverywhere))
                return .done(
                    isEverywhere ? "Signed out everywhere." : "Session ended.",
                    goingTo: visit.links.people,
                )
            }
        }
    }

    // MARK: Parts

    /// Tests the provider; a refusal is a result, not a failure of the page.
    private static func tried(
        _ visit: AdminRequest
    ) async -> Result<PeoplePage.Tried, any Error> {
        do {
            let found = try await visit.ask(TestSignIn())
            let steps = [
                PeoplePage.Step("\(found.issuer) answers, and names this issuer.", tone: "good"),
                PeoplePage.Step(
                    "It publishes \(Wording.count(found.keys, "key")) that can be used.",
                    tone: "good",
                ),
                PeoplePage.Step(
                    found.namesIssuer
                        ? "Its answers name their issuer."
                        : "Its answers do not name their issuer.",
                    tone: found.namesIssuer ? "good" : "warn",
                ),
                PeoplePage.Step(
                    found.announcesLogouts
                        ? "It announces sign-outs." : "It does not announce sign-outs.",
                    fix: found.announcesLogouts
                        ? nil
                        : "After a sign-out there, a session here ends only when it is next confirmed.",
                    tone: found.announcesLogouts ? "good" : "warn",
                ),
                PeoplePage.Step(
                    found.endsSessions
                        ? "It signs people out when they sign out here."
                        : "It does not sign people out when they sign out here.",
                    tone: found.endsSessions ? "good" : "warn",
                ),
            ]
            return .success(
                PeoplePage.Tried("The provider can be used", isGood: true, steps: steps)
            )
        } catch {
            // A problem of the provider is a result, whatever status it would have elsewhere.
            guard let problem = (error as? SignInRefusal)?.problem else { return .failure(error) }
            let shown = PageProblem(problem)
            let step = PeoplePage.Step(
                shown.message,
                fix: Wording.sentence(problem.fix),
                tone: "bad",
            )
            return .success(
                PeoplePage.Tried("The provider cannot be used", isGood: false, steps: [step])
            )
        }
    }

    private static func page(
        _ visit: AdminRequest,
        showsTesters: Bool = true,
        draft: PeoplePage.Draft? = nil,
        tried: PeoplePage.Tried? = nil,
    ) throws -> PeoplePage {
        let isSet = try visit.store.signInSettings() != nil
        let signIn = isSet ? try visit.perform(ShowSignIn()).signIn : nil
        let links = visit.site.links
        let sessions = try visit.perform(ListPersonSessions(onlyOfAdmins: !showsTesters)).sessions
        return PeoplePage(
            provider: signIn.map { ($0.name, $0.facts) },
            addresses: [
                PeoplePage.Fact("redirect URI", links.absolute(PeopleLinks.callback)),
                PeoplePage.Fact(
                    "post-logout redirect URI",
                    links.absolute("/admin/sign-in"),
                ),
                PeoplePage.Fact("back-channel logout URI", links.absolute(PeopleLinks.logout)),
            ],
            buttons: signIn == nil ? [] : Self.buttons(visit),
            tried: tried,
            sessions: sessions.prefix(shown).map { Self.session($0, visit) },
            count: sessions.count,
            showsTesters: showsTesters,
            url: visit.links.people,
            draft: draft ?? signIn.map(PeoplePage.Draft.init) ?? PeoplePage.Draft(),
            admin: try visit.chrome(),
        )
    }

    private static func buttons(_ visit: AdminRequest) -> [ActionButton] {
        [
            ActionButton(
                "Test",
                label: "Test the provider",
                url: visit.links.people + "/test",
                code: visit.formCode,
            ),
            ActionButton(
                "Remove",
                label: "Remove sign-in",
                url: visit.links.people + "/remove",
                code: visit.formCode,
                confirmation: "Everyone who signed in at the provider is signed out, testers too. "
                    + "Tokens keep working.",
                isBad: true,
            ),
        ]
    }

    private static func session(
        _ entry: PersonSessionEntry,
        _ visit: AdminRequest,
    ) -> PeoplePage.Session {
        let isOwn =
            visit.session.kind == .person && visit.session.subject.hasPrefix(entry.identifier)
        let url = visit.links.people + "/" + entry.identifier
        let groups = entry.groups.map(\.rawValue).joined(separator: ", ")
        let tester = groups.isEmpty ? "apps for testers who sign in" : "member of \(groups)"
        return PeoplePage.Session(
            name: entry.name,
            right: entry.purpose == .tester
                ? tester : entry.scopes.map(\.roleText).joined(separator: ", "),
            isTester: entry.purpose == .tester,
            opened: entry.opened,
            expires: entry.expires,
            isOwn: isOwn,
            buttons: [
                ActionButton(
                    "End",
                    label: "End the session of \(entry.name)",
                    url: isOwn ? visit.links.signOut : url + "/end",
                    code: visit.formCode,
                    confirmation: "This session ends at once.",
                    isBad: true,
                ),
                ActionButton(
                    "Sign out everywhere",
                    label: "Sign \(entry.name) out everywhere",
                    url: isOwn ? visit.links.signOutEverywhere : url + "/end-everywhere",
                    code: visit.formCode,
                    confirmation:
                        "All sessions of this person end at once, as an admin and as a tester.",
                    isBad: true,
                ),
            ],
        )
    }
}

extension SignInEntry {
    /// The settings, as rows of a table.
    fileprivate var facts: [PeoplePage.Fact] {
        var facts = [
            PeoplePage.Fact("Name", name), PeoplePage.Fact("Issuer", issuer),
            PeoplePage.Fact("Client", clientID),
            PeoplePage.Fact("Secret", hasSecret ? "kept" : "none"),
        ]
        if let roleClaim { facts.append(PeoplePage.Fact("Claim", roleClaim)) }
        if !scopes.isEmpty {
            facts.append(PeoplePage.Fact("Additional scopes", scopes.joined(separator: " ")))
        }
        facts += roles.map { role in
            let name = role.role.rawValue + (role.app.map { " of \($0)" } ?? "")
            return PeoplePage.Fact(name, role.person ?? "\(roleClaim ?? "") \(role.claim ?? "")")
        }
        facts += testers.map { tester in
            let name = "tester" + (tester.group.map { " in \($0)" } ?? "")
            return PeoplePage.Fact(
                name,
                tester.person ?? "\(roleClaim ?? "") \(tester.claim ?? "")",
            )
        }
        return facts
    }
}
