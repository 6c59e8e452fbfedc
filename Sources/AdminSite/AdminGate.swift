import Access
import Bytes
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import OpenID
import Pages
import Releases
import SiteServices

/// The one way into the admin's pages: who is signed in, what they may, and whether a form is ours.
struct AdminGate: Sendable {
    let services: AdminServices

    var site: Site { services.site }

    var links: AdminLinks { AdminLinks(base: site.links.base) }

    /// Answers a signed-in visitor with a page.
    ///
    /// `make` runs where waiting for the disk is allowed.
    ///
    /// - Parameters:
    ///   - request: names the page to return to after signing in.
    ///   - context: names the route.
    ///   - section: where the page stands in the navigation.
    ///   - action: what the visitor must be allowed to; with `read` every signed-in visitor gets
    ///     the page, which shows only their apps.
    ///   - make: makes the page.
    /// - Returns: the page, why there is none, or the way to sign in.
    /// - Throws: what neither a page nor a refusal says.
    func page(
        _ request: Request,
        _ context: RouteContext,
        in section: AdminSection?,
        require action: Scope.Action = .admin,
        _ make: @escaping @Sendable (AdminRequest) throws -> any AdminPage,
    ) async throws -> Response {
        let route = context.endpointPath ?? "/admin"
        guard let admin = try await signedIn(request) else {
            return try await signInFirst(request)
        }
        let site = site
        // A refresh in the background shows no message to anyone.
        let isShown = request.headers[.secFetchDest].map { $0 != "empty" } ?? true
        let flash = isShown ? Self.flashMessage(in: request, admin.session, of: site) : nil
        let visit = AdminRequest(
            services: services,
            principal: admin.principal,
            session: admin.session,
            section: section,
            flash: flash,
        )
        let answer = try await site.work {
            do {
                try Self.require(action, visit.principal)
                return try site.pages.answer(make(visit), route: route, isForAdmins: true)
            } catch {
                return try Self.answer(to: error, visit, route)
            }
        }
        var response = answer.response(to: request)
        if flash != nil {
            response.headers[.setCookie] = SiteCookie.flash.clearing(path: site.links.base.path)
        }
        return response
    }

    /// Does what a form of ours asks for.
    ///
    /// - Parameters:
    ///   - request: carries the form.
    ///   - context: names the route.
    ///   - section: where a page that says why nothing was done stands in the navigation.
    ///   - action: what the visitor must be allowed to; with `read` the act itself asks for more.
    ///   - limit: bytes of the form.
    ///   - act: does it, where waiting for the disk is allowed; a refusal of a register's that it
    ///     throws becomes a page that says so.
    /// - Returns: the way on, or a page.
    /// - Throws: ``Refusal/forgedForm`` for a form of another site's, and what no page says.
    func action(
        _ request: Request,
        _ context: RouteContext,
        in section: AdminSection?,
        require action: Scope.Action = .admin,
        atMost limit: Int = FormBody.greatestSize,
        _ act: @escaping @Sendable (AdminRequest, FormBody) throws -> AdminOutcome,
    ) async throws -> Response {
        try await self.action(
            request,
            context,
            in: section,
            require: action,
            atMost: limit,
            preparing: { _, _ in },
        ) { visit, form, _ in try act(visit, form) }
    }

    /// Does what a form of ours asks for, after something that takes its time without holding a thread, such
    /// as a fetch; what that throws becomes a page too.
    func action<Prepared: Sendable>(
        _ request: Request,
        _ context: RouteContext,
        in section: AdminSection?,
        require action: Scope.Action = .admin,
        atMost limit: Int = FormBody.greatestSize,
        preparing prepare: @Sendable (AdminRequest, FormBody) async throws -> Prepared,
        _ act: @escaping @Sendable (AdminRequest, FormBody, Prepared) throws -> AdminOutcome,
    ) async throws -> Response {
        let route = context.endpointPath ?? "/admin"
        try OwnOrigin.check(request, base: site.links.base)
        guard let admin = try await signedIn(request) else {
            return Self.redirect(to: links.signIn)
        }
        let site = site
        let visit = AdminRequest(
            services: services,
            principal: admin.principal,
            session: admin.session,
            section: section,
            flash: nil,
            isLive: false,
        )
        do throws(Refusal) {
            try Self.require(action, visit.principal)
        } catch {
            return try await site.work { try Self.answer(to: error, visit, route) }
                .response(to: request)
        }
        let form: FormBody
        do {
            form = try await FormBody(request, in: site, atMost: limit)
        } catch let refusal as Refusal {
            guard case .tooLarge = refusal else { throw refusal }
            return try await site.work { try Self.answer(to: refusal, visit, route) }
                .response(to: request)
        }
        guard let code = form["form"], site.sessions.isFormCode(code, of: admin.session) else {
            throw Refusal.forgedForm
        }
        let prepared: Result<Prepared, any Error>
        do {
            prepared = .success(try await prepare(visit, form))
        } catch {
            prepared = .failure(error)
        }
        let key = RepeatedForms.Key(form, to: request.uri.path, in: admin.session)
        let repeated = services.repeated
        return try await site.work {
            do {
                let outcome = try repeated.answer(key, at: site.now) {
                    try act(visit, form, prepared.get())
                }
                switch outcome {
                case .again(let page, let status):
                    return try site.pages.answer(
                        page,
                        status: status,
                        route: route,
                        isForAdmins: true,
                    ).response(to: request)
                case .elsewhere(let path):
                    return Self.redirect(to: path)
                case .done(let words, let path):
                    return Self.redirect(to: path, saying: ActionReport(words), visit)
                case .reported(let report, let path):
                    return Self.redirect(to: path, saying: report, visit)
                }
            } catch {
                return try Self.answer(to: error, visit, route).response(to: request)
            }
        }
    }

    /// Answers with something else than a page, such as a picture.
    ///
    /// - Throws: ``Refusal/notSignedIn`` and ``Refusal/notAllowed``, and what `make` throws.
    func file(
        _ request: Request,
        require action: Scope.Action = .read,
        _ make: @escaping @Sendable (AdminRequest) throws -> CachedResponse,
    ) async throws -> Response {
        let admin = try await SignIn(site: site).admin(request)
        try Self.require(action, admin.principal)
        let visit = AdminRequest(
            services: services,
            principal: admin.principal,
            session: admin.session,
            section: nil,
            flash: nil,
        )
        return try await site.work { try make(visit) }.response(to: request)
    }

    /// A redirect that a browser follows with `GET`.
    static func redirect(to path: String) -> Response {
        var fields = ResponseFields.common
        fields[.location] = path
        fields[.cacheControl] = "private, no-store"
        return Response(status: .seeOther, headers: fields)
    }

    // MARK: Parts

    private func signedIn(
        _ request: Request
    ) async throws -> (principal: Principal, session: Session)? {
        do {
            return try await SignIn(site: site).admin(request)
        } catch Refusal.notSignedIn {
            return nil
        }
    }

    private func signInFirst(_ request: Request) async throws -> Response {
        let wanted = ReturnPath(prefixed(request.head.path ?? ""), links: links)
        // A person whose session has run out, and who is still signed in at the provider, gets a new one
        // without a question; one whose session was ended before that is to be asked.
        if let value = SiteCookie.admin.value(in: request.headers, below: site.links.base.path),
            let session = site.sessions.session(
                value,
                at: site.now,
                endedWithin: Session.Kind.person.lifetime,
            ), session.kind == .person, try await hasRunOut(session)
        {
            let query = FormText.text([
                ("to", wanted?.text ?? links.dashboard), ("silent", "1"),
            ])
            return Self.redirect(to: site.links.base.path + PeopleLinks.start + "?" + query)
        }
        return Self.redirect(to: links.signIn(leadingTo: wanted?.text ?? links.dashboard))
    }

    /// Whether the time of a session was up before anything else ended it.
    private func hasRunOut(_ session: Session) async throws -> Bool {
        guard session.expires > site.now else { return true }
        let people = site.people
        return try await site.work { try people.hasRunOut(session.subject) }
    }

    /// A proxy may have taken the base URL's path away.
    private func prefixed(_ path: String) -> String {
        let prefix = site.links.base.path
        return prefix.isEmpty || path.hasPrefix(prefix + "/") ? path : prefix + path
    }

    /// A reader of some apps passes; the page shows them no other.
    private static func require(
        _ action: Scope.Action,
        _ principal: Principal,
    ) throws(Refusal) {
        guard action != .read else { return }
        try SignIn.require(principal, action)
    }

    private static func redirect(
        to path: String,
        saying report: ActionReport,
        _ visit: AdminRequest,
    ) -> Response {
        var response = redirect(to: path)
        guard let json = try? JSONEncoder().encode(report) else { return response }
        response.headers[.setCookie] = SiteCookie.flash.setting(
            visit.site.sessions.seal(String(decoding: json, as: UTF8.self), for: visit.session),
            for: 60,
            path: visit.site.links.base.path,
        )
        return response
    }

    private static func flashMessage(
        in request: Request,
        _ session: Session,
        of site: Site,
    ) -> ActionReport? {
        guard
            let sealed = SiteCookie.flash.value(in: request.headers, below: site.links.base.path),
            let json = site.sessions.open(sealed, for: session)
        else { return nil }
        return try? JSONDecoder().decode(ActionReport.self, from: Data(json.utf8))
    }
}
