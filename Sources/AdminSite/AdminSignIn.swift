import Access
import Bytes
import Cryptography
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Pages
import Problems
import Releases
import SiteServices
import Store

/// Signs admins in and out.
struct AdminSignIn: Sendable {
    let gate: AdminGate

    private var site: Site { gate.site }
    private var links: AdminLinks { gate.links }

    /// Answers `GET /admin/sign-in?to=`.
    @Sendable func form(_ request: Request, _ context: RouteContext) async throws -> Response {
        let wanted = request.uri.queryParameters["to"].map { String($0) } ?? ""
        let path = ReturnPath(wanted, links: links)?.text ?? links.dashboard
        // After a link on another site the browser does not send the cookie; after one on this page it
        // does.
        let isFromElsewhere = request.headers[.secFetchSite].map { $0 != "same-origin" } ?? false
        let page = try await page(leadingTo: path, onward: isFromElsewhere ? path : nil)
        return try site.pages.answer(page, route: "/admin/sign-in", isForAdmins: true)
            .response(to: request)
    }

    /// Answers `POST /admin/sign-in`.
    @Sendable func signIn(_ request: Request, _ context: RouteContext) async throws -> Response {
        try OwnOrigin.check(request, base: site.links.base)
        let signIn = SignIn(site: site)
        let address = signIn.address(request, context)
        let form = try await FormBody(ofStranger: request, at: address, in: site)
        let path = ReturnPath(form["to"] ?? "", links: links)?.text ?? links.dashboard
        let secret = (form["token"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        do {
            let principal = try await signIn.principal(
                showing: secret,
                from: address,
            )
            return try welcome(principal, to: path)
        } catch let refusal as Refusal {
            return try await refused(refusal, path, request)
        }
    }

    /// Answers `POST /admin/sign-out`.
    @Sendable func signOut(_ request: Request, _ context: RouteContext) async throws -> Response {
        try OwnOrigin.check(request, base: site.links.base)
        let admin = try await SignIn(site: site).adminSendingForm(request)
        if admin.session.kind == .person {
            return try await signOut(admin.session, isEverywhere: false, request)
        }
        let (store, now) = (site.store, site.now)
        try await site.work {
            _ = try store.changeTokens { $0.end(admin.session, at: now) }
        }
        return goodbye()
    }

    /// Answers `POST /admin/sign-out-everywhere`: revokes the token with all sessions that it opened, or
    /// ends all sessions of a person.
    @Sendable func signOutEverywhere(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        try OwnOrigin.check(request, base: site.links.base)
        let admin = try await SignIn(site: site).adminSendingForm(request)
        if admin.session.kind == .person {
            return try await signOut(admin.session, isEverywhere: true, request)
        }
        let site = site
        try await site.work {
            let now = site.now
            try site.store.changeTokens { register in
                try register.revoke(admin.session.subject, at: now)
            } recording: {
                [
                    Activity(
                        date: now,
                        actor: admin.principal.name,
                        event: .tokenRevoked,
                        subject: admin.principal.name,
                    )
                ]
            }
        }
        return goodbye()
    }

    // MARK: Parts

    /// Ends a person's session, and returns a page that leads to the provider's sign-out.
    private func signOut(
        _ session: Session,
        isEverywhere: Bool,
        _ request: Request,
    ) async throws -> Response {
        guard let address = try await site.people.signOut(session, isEverywhere: isEverywhere)
        else { return goodbye() }
        let page = OnwardPage(
            title: "Signed out",
            message: "You are signed out here. Next, your provider signs you out too.",
            url: address,
            label: "Continue",
            styleURL: site.pages.publicURL("admin.css"),
            chrome: site.pages.chrome,
        )
        return try site.pages.answer(
            page,
            cookie: SiteCookie.admin.clearing(path: site.links.base.path),
            route: "/admin/sign-out",
            isForAdmins: true,
        ).response(to: request)
    }

    private func welcome(_ principal: Principal, to path: String) throws -> Response {
        let expires = site.now.addingTimeInterval(TimeInterval(SignIn.sessionTime))
        // Each session of a token is different, and so are the codes of its forms.
        guard let token = principal.token,
            let session = Session(
                kind: .admin,
                subject: token,
                generation: Hex.encode(randomBytes(4)),
                expires: expires,
            )
        else { throw Refusal.notSignedIn }
        var response = AdminGate.redirect(to: path)
        response.headers[.setCookie] = SiteCookie.admin.setting(
            site.sessions.value(of: session),
            for: SignIn.sessionTime,
            path: site.links.base.path,
        )
        return response
    }

    private func goodbye() -> Response {
        var response = AdminGate.redirect(to: links.signIn)
        response.headers[.setCookie] = SiteCookie.admin.clearing(path: site.links.base.path)
        return response
    }

    private func refused(
        _ refusal: Refusal,
        _ path: String,
        _ request: Request,
    ) async throws -> Response {
        let problem: Problem
        switch refusal {
        case .notSignedIn:
            problem = Problem(
                id: refusal.id,
                kind: refusal.kind,
                message: refusal.description,
                pageFix: "it may be incomplete, revoked or expired; on the server, "
                    + "“ota tokens list” shows the valid ones",
            )
        case .tooManyGuesses: problem = refusal.problem
        default: throw refusal
        }
        let page = try await page(leadingTo: path, problem: PageProblem(problem))
        var response = try site.pages.answer(
            page,
            status: refusal.status,
            route: "/admin/sign-in",
            isForAdmins: true,
        ).response(to: request)
        switch refusal {
        case .tooManyGuesses(let wait): response.headers[.retryAfter] = "\(wait)"
        default: response.headers[.wwwAuthenticate] = "Bearer realm=\"ota\""
        }
        return response
    }

    /// Returns the sign-in page, which leads to `path`.
    func page(
        leadingTo path: String,
        problem: PageProblem? = nil,
        onward: String? = nil,
    ) async throws -> SignInPage {
        // Signing in with a token must work even if the provider's settings cannot be read.
        let settings = try await site.work { [store = site.store] in
            try store.unlessDamaged { try store.signInSettings() }
        }
        let start = site.links.base.path + PeopleLinks.start
        let query = path == links.dashboard ? "" : "?to=" + InstallLink.percentEncoded(path)
        return SignInPage(
            actionURL: links.signIn,
            destination: path,
            problem: problem,
            onward: onward,
            provider: settings.map { ($0.name, start + query) },
            styleURL: site.pages.publicURL("admin.css"),
            chrome: site.pages.chrome,
        )
    }
}
