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

/// The single entry to the admin pages: checks who is signed in, what they may do, and that forms are
/// ours.
struct AdminGate: Sendable {
    let services: AdminServices

    var site: Site { services.site }

    var links: AdminLinks { AdminLinks(base: site.links.base) }

    /// Answers a signed-in visitor with a page.
    ///
    /// `make` runs on a thread that may block on the disk.
    ///
    /// - Parameters:
    ///   - request: names the page to return to after signing in.
    ///   - context: names the route.
    ///   - section: the page's section of the navigation.
    ///   - action: the right that the visitor needs; with `read` every signed-in visitor gets the page,
    ///     which shows only their apps.
    ///   - make: creates the page.
    /// - Returns: the page, a page that explains an error, or a redirect to signing in.
    /// - Throws: errors that no page explains.
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
        // A page loaded in the background has no one to read the message.
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

    /// Performs the action of one of our forms.
    ///
    /// - Parameters:
    ///   - request: contains the form.
    ///   - context: names the route.
    ///   - section: the section of the navigation for a page that explains an error.
    ///   - action: the right that the visitor needs; with `read` the action itself requires more.
    ///   - limit: the most bytes of the form.
    ///   - act: performs the action, on a thread that may block on the disk; the errors that it throws
    ///     become pages.
    /// - Returns: a redirect or a page.
    /// - Throws: ``Refusal/forgedForm`` for a form of another site, and errors that no page explains.
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

    /// Performs the action of one of our forms after asynchronous work, such as a fetch; errors of that
    /// work become pages too.
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

    /// Answers with something other than a page, such as an image.
    ///
    /// - Throws: ``Refusal/notSignedIn`` and ``Refusal/notAllowed``, and the errors of `make`.
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

    /// Returns a redirect that browsers follow with `GET`.
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
        // A person whose session has only expired, and who is still signed in at the provider, gets a new
        // one without being asked; a person whose session was ended has to sign in.
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

    /// Returns whether a session expired, rather than being ended.
    private func hasRunOut(_ session: Session) async throws -> Bool {
        guard session.expires > site.now else { return true }
        let people = site.people
        return try await site.work { try people.hasRunOut(session.subject) }
    }

    /// Returns the path with the base URL's path, which a proxy may have removed.
    private func prefixed(_ path: String) -> String {
        let prefix = site.links.base.path
        return prefix.isEmpty || path.hasPrefix(prefix + "/") ? path : prefix + path
    }

    /// Users who may read only some apps pass; the page shows them only those.
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
