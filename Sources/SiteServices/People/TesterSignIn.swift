package import Access
import Foundation
package import HTTPServing
import HTTPTypes
package import Hummingbird
import Logging
package import OpenID
import Pages
import Problems
import Releases
import Store

/// Signs testers in and out through the provider; their sessions give no access to the admin pages.
package struct TesterSignIn: Sendable {
    private let site: Site

    package init(site: Site) {
        self.site = site
    }

    /// Answers `GET /sign-in/testers?to=&silent=`: redirects to the provider, which with `silent=1` must
    /// answer without showing anything.
    @Sendable package func begin(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let wanted = request.uri.queryParameters["to"].map { String($0) } ?? ""
        let path = TesterPath(wanted) ?? .start
        let isSilent = request.uri.queryParameters["silent"] == "1"
        do {
            let begun = try await site.people.begin(
                leadingTo: path.text,
                for: .tester,
                isSilent: isSilent,
            )
            let cookie = SiteCookie.attempt.setting(
                begun.cookie,
                for: SignInAttempt.lifetime,
                path: site.links.base.path,
            )
            return redirect(to: begun.address, [cookie])
        } catch let refusal as SignInRefusal {
            if isSilent { return notRenewed(refusal, path.text, request, context) }
            return try await refused(refusal, path.text, request, context)
        }
    }

    /// Redirects a person whose session could not be renewed silently to their page, which now has the
    /// sign-in button.
    package func notRenewed(
        _ refusal: SignInRefusal,
        _ path: String,
        _ request: Request,
        _ context: RouteContext,
    ) -> Response {
        // That the provider has to ask the person is normal, and is not logged.
        if refusal.reason != .denied { log(refusal, request, context) }
        let base = site.links.base.path
        return redirect(
            to: site.links.absolute((TesterPath(path) ?? .start).text),
            [SiteCookie.attempt.clearing(path: base), SiteCookie.tester.clearing(path: base)],
        )
    }

    /// Signs in a person whom the provider has authenticated, and redirects to the page that they came
    /// from.
    ///
    /// An earlier session of the browser ends; the new session takes nothing from it.
    ///
    /// - Parameters:
    ///   - session: the new session.
    ///   - path: the path in the sign-in attempt.
    ///   - request: the request, which may carry the earlier session's cookie.
    /// - Returns: the redirect, which sets the cookie.
    /// - Throws: `StoreFailure`, and ``Refusal/notSignedIn`` for a session that does not fit in a cookie.
    package func welcome(
        _ session: PersonSession,
        to path: String,
        _ request: Request,
    ) async throws -> Response {
        guard let cookie = site.people.cookieSession(of: session) else { throw Refusal.notSignedIn }
        if let former = self.session(of: request) {
            let store = site.store
            _ = try await site.work { try store.endPersonSession(former.subject) }
        }
        let base = site.links.base.path
        return redirect(
            to: site.links.absolute((TesterPath(path) ?? .start).text),
            [
                SiteCookie.attempt.clearing(path: base),
                SiteCookie.tester.setting(
                    site.sessions.value(of: cookie),
                    for: Session.Kind.tester.lifetime,
                    path: base,
                ),
            ],
        )
    }

    /// Returns a page that says why a tester is not signed in, in their language, with a button to try
    /// again.
    package func refused(
        _ refusal: SignInRefusal,
        _ path: String,
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        log(refusal, request, context)
        let chrome = site.pages.chrome(for: request)
        let settings = try await site.people.settings()
        let page = TesterSignInPage(
            .refused(refusal.pageProblem(in: chrome.words)),
            provider: settings?.name,
            signInURL: startURL(leadingTo: TesterPath(path) ?? .start),
            chrome: chrome,
        )
        return try site.pages.answer(
            page,
            status: refusal.kind.status,
            route: context.endpointPath ?? PeopleLinks.callback,
        ).response(to: request)
    }

    /// Answers `POST /sign-out`: ends the session on all servers.
    @Sendable package func signOut(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        try OwnOrigin.checkSite(request)
        if let session = session(of: request) {
            _ = try await site.people.signOut(session, isEverywhere: false)
        }
        return redirect(
            to: site.links.absolute(TesterPath.start.text),
            [SiteCookie.tester.clearing(path: site.links.base.path)],
        )
    }

    /// Returns the path of the sign-in button.
    ///
    /// - Parameters:
    ///   - path: the page to return to.
    ///   - isSilent: whether the provider must answer without showing anything.
    /// - Returns: a path of this server.
    package func startURL(leadingTo path: TesterPath, isSilent: Bool = false) -> String {
        let fields = [("to", path.text)] + (isSilent ? [("silent", "1")] : [])
        return site.links.base.path + PeopleLinks.testerStart + "?" + FormText.text(fields)
    }

    private func log(_ refusal: SignInRefusal, _ request: Request, _ context: RouteContext) {
        site.logger.warning(
            "a sign-in was refused",
            metadata: [
                "problem": "\(refusal.id)", "reason": "\(refusal)",
                "from": "\(SignIn(site: site).address(request, context))",
            ],
        )
    }

    private func session(of request: Request) -> Session? {
        SiteCookie.tester.value(in: request.headers, below: site.links.base.path)
            .flatMap { site.sessions.session($0, at: site.now) }
            .flatMap { $0.kind == .tester ? $0 : nil }
    }

    private func redirect(to address: String, _ cookies: [String]) -> Response {
        var fields = ResponseFields.common
        fields[.location] = address
        fields[.cacheControl] = "private, no-store"
        fields[values: .setCookie] = cookies
        return Response(status: .seeOther, headers: fields)
    }
}

extension SignInRefusal {
    /// Returns the refusal as a tester reads it, with one of three things to do about it.
    fileprivate func pageProblem(in words: Words) -> PageProblem {
        let (message, fix) =
            switch (reason, kind) {
            case (.noTester, _):
                ("signin.refused.no-tester", "signin.refused.no-tester.fix")
            case (.notSetUp, _), (.tooMany, _), (_, .unavailable):
                ("signin.refused.later", "signin.refused.later.fix")
            default: ("signin.refused.again", "signin.refused.again.fix")
            }
        return PageProblem(id: id, message: words.text(message), fix: words.text(fix))
    }
}
