import Access
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import OpenID
import Pages
import Problems
import Releases
import SiteServices
import Store

/// Signs people in through an OpenID provider, or by a link that was created on the server's machine.
struct AdminPeople: Sendable {
    let gate: AdminGate

    private var site: Site { gate.site }
    private var links: AdminLinks { gate.links }
    private var people: PeopleSignIn { site.people }

    /// Routes that are not below `/admin`.
    var table: RouteTable {
        [
            Route(PeopleLinks.start, [.get: begin]),
            Route(PeopleLinks.callback, [.get: finish]),
            Route(PeopleLinks.logout, [.post: logout]),
            Route(PeopleLinks.link + "/{link}", [.get: link, .post: useLink]),
        ]
    }

    /// Answers `GET /sign-in?to=`: redirects to the provider.
    @Sendable func begin(_ request: Request, _ context: RouteContext) async throws -> Response {
        let query = request.uri.queryParameters
        let wanted = query["to"].map { String($0) } ?? ""
        let path = ReturnPath(wanted, links: links)?.text ?? links.dashboard
        do {
            let begun = try await people.begin(
                leadingTo: path,
                isSilent: query["silent"] == "1",
            )
            var response = AdminGate.redirect(to: begun.address)
            response.headers[.setCookie] = SiteCookie.attempt.setting(
                begun.cookie,
                for: SignInAttempt.lifetime,
                path: site.links.base.path,
            )
            return response
        } catch let refusal as SignInRefusal {
            return try await refused(refusal, path, request, context)
        }
    }

    /// Answers `GET /sign-in/callback`, to which the provider redirects the browser with its answer.
    @Sendable func finish(_ request: Request, _ context: RouteContext) async throws -> Response {
        let cookie = SiteCookie.attempt.value(in: request.headers, below: site.links.base.path)
        let answer: PeopleSignIn.Answer
        let attempt: SignInAttempt
        do throws(SignInRefusal) {
            answer = try Self.answer(in: request)
            attempt = try people.attempt(of: answer, cookie: cookie)
        } catch {
            // Any site can send a browser here, so a sign-in that was started in this browser stays
            // valid.
            return try await refused(error, links.dashboard, request, context)
        }
        if attempt.purpose == .tester {
            return try await finishAsTester(attempt, with: answer, request, context)
        }
        // The attempt contains a path of ours; the provider's answer must not name one.
        let path = ReturnPath(attempt.path, links: links)?.text ?? links.dashboard
        do {
            let session = try await finished(attempt, with: answer, request, context)
            return try welcome(session, to: path, request)
        } catch let refusal as SignInRefusal {
            // A silent sign-in was refused: the person decides how to continue.
            if attempt.isSilent, refusal.reason == .denied {
                let answer = AdminGate.redirect(to: links.signIn(leadingTo: path))
                return forgetting([.attempt, .admin], answer)
            }
            return forgetting([.attempt], try await refused(refusal, path, request, context))
        }
    }

    /// Answers `POST /sign-in/back-channel-logout` (OpenID Connect Back-Channel Logout 1.0 section 2.5).
    @Sendable func logout(_ request: Request, _ context: RouteContext) async throws -> Response {
        let address = SignIn(site: site).address(request, context)
        let form = try await FormBody(ofStranger: request, at: address, in: site)
        let fields = ResponseFields.of(type: "application/json", cache: "no-store")
        do {
            _ = try await people.logout(announcedBy: form["logout_token"] ?? "")
            return Response(status: .ok, headers: fields)
        } catch let refusal as SignInRefusal {
            log(refusal, "a logout was refused", request, context)
            let body = #"{"error":"invalid_request","error_description":"\#(refusal.id)"}"#
            return Response(
                status: refusal.kind == .unavailable ? .serviceUnavailable : .badRequest,
                headers: fields,
                body: ResponseBody(byteBuffer: ByteBuffer(string: body + "\n")),
            )
        }
    }

    /// Answers `GET /sign-in/link/{link}` with a button; the link remains unused.
    @Sendable func link(_ request: Request, _ context: RouteContext) async throws -> Response {
        let value = context.parameters.get("link") ?? ""
        guard let link = site.sessions.session(value, at: site.now), link.kind == .link else {
            return try await refused(
                SignInRefusal(.usedLink),
                links.dashboard,
                request,
                context,
            )
        }
        let page = SignInLinkPage(
            actionURL: site.links.base.path + PeopleLinks.link + "/" + value,
            name: link.subject,
            styleURL: site.pages.publicURL("admin.css"),
            chrome: site.pages.chrome,
        )
        return try site.pages.answer(page, route: "/sign-in/link/{link}", isForAdmins: true)
            .response(to: request)
    }

    /// Answers `POST /sign-in/link/{link}`.
    @Sendable func useLink(_ request: Request, _ context: RouteContext) async throws -> Response {
        try OwnOrigin.check(request, base: site.links.base)
        do {
            let session = try await people.finish(
                withLink: context.parameters.get("link") ?? ""
            )
            return try welcome(session, to: links.dashboard, request)
        } catch let refusal as SignInRefusal {
            return try await refused(refusal, links.dashboard, request, context)
        }
    }

    // MARK: Parts

    /// Handles the callback of a tester's sign-in, which gives no access to the admin pages.
    private func finishAsTester(
        _ attempt: SignInAttempt,
        with answer: PeopleSignIn.Answer,
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let testers = TesterSignIn(site: site)
        do {
            let session = try await finished(attempt, with: answer, request, context)
            return try await testers.welcome(session, to: attempt.path, request)
        } catch let refusal as SignInRefusal {
            if attempt.isSilent {
                return testers.notRenewed(refusal, attempt.path, request, context)
            }
            let page = try await testers.refused(refusal, attempt.path, request, context)
            return forgetting([.attempt], page)
        }
    }

    /// Returns the new session.
    ///
    /// A code that the provider accepts counts even if others at the same address have sent wrong ones:
    /// no one can guess a code together with its verifier. The number of simultaneous exchanges is
    /// limited instead.
    private func finished(
        _ attempt: SignInAttempt,
        with answer: PeopleSignIn.Answer,
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> PersonSession {
        let guesser = Guesser(at: "sign-in", from: SignIn(site: site).address(request, context))
        let exchanges = gate.services.exchanges
        try exchanges.begin(by: guesser)
        defer { exchanges.end(by: guesser) }
        do {
            let session = try await people.finish(attempt, with: answer)
            site.guesses.succeeded(guesser)
            return session
        } catch let refusal as SignInRefusal where refusal.reason == .codeRefused {
            try site.guesses.check(guesser, at: site.now)
            site.guesses.failed(guesser, at: site.now)
            throw refusal
        }
    }

    /// Returns a page of ours that sets the cookie and then opens `path`.
    ///
    /// After a redirect chain that started at the provider, a browser would not send a `Strict` cookie.
    private func welcome(
        _ session: PersonSession,
        to path: String,
        _ request: Request,
    ) throws -> Response {
        guard let cookie = people.cookieSession(of: session) else { throw Refusal.notSignedIn }
        let page = OnwardPage(
            title: "Signed in",
            message: "You are signed in as \(session.shownName).",
            url: path,
            label: "Continue",
            styleURL: site.pages.publicURL("admin.css"),
            chrome: site.pages.chrome,
        )
        let base = site.links.base.path
        var response = try site.pages.answer(
            page,
            route: PeopleLinks.callback,
            isForAdmins: true,
        ).response(to: request)
        response.headers[values: .setCookie] = [
            SiteCookie.attempt.clearing(path: base),
            // The cookie outlives the session, so that the next visit asks the provider at once.
            SiteCookie.admin.setting(
                site.sessions.value(of: cookie),
                for: Session.Kind.person.lifetime,
                path: base,
            ),
        ]
        return response
    }

    /// Parses the query; a client that sends a parameter twice may want two parsers to differ.
    private static func answer(in request: Request) throws(SignInRefusal) -> PeopleSignIn.Answer {
        let query = (request.head.path ?? "").split(separator: "?", maxSplits: 1).dropFirst().first
        let bytes = Array((query ?? "").utf8)
        guard bytes.count <= 8192, let fields = try? FormFields(urlEncoded: bytes) else {
            throw SignInRefusal(.wrongState, "its parameters cannot be read")
        }
        return fields.all
    }

    private func forgetting(_ cookies: [SiteCookie], _ response: Response) -> Response {
        var response = response
        let path = site.links.base.path
        for cookie in cookies {
            response.headers.append(
                HTTPField(name: .setCookie, value: cookie.clearing(path: path))
            )
        }
        return response
    }

    private func refused(
        _ refusal: SignInRefusal,
        _ path: String,
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        log(refusal, "a sign-in was refused", request, context)
        let page = try await AdminSignIn(gate: gate).page(
            leadingTo: path,
            problem: PageProblem(refusal.problem),
        )
        return try site.pages.answer(
            page,
            status: refusal.kind.status,
            route: context.endpointPath ?? PeopleLinks.callback,
            isForAdmins: true,
        ).response(to: request)
    }

    private func log(
        _ refusal: SignInRefusal,
        _ what: String,
        _ request: Request,
        _ context: RouteContext,
    ) {
        site.logger.warning(
            "\(what)",
            metadata: [
                "problem": "\(refusal.id)", "reason": "\(refusal)",
                "from": "\(SignIn(site: site).address(request, context))",
            ],
        )
    }
}
