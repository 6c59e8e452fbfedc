import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import NIOCore
import Pages
import Releases
import SiteServices
import Store

/// The pages for testers.
struct PageRoutes: Sendable {
    let site: Site
    let installs: InstallServices
    let references: DeviceReferences
    let progress: ProgressReader

    /// Answers `GET /?search=`.
    @Sendable func start(_ request: Request, _ context: RouteContext) async throws -> Response {
        let text = request.uri.queryParameters["search"].map { String($0.prefix(100)) } ?? ""
        return try await page(request, for: "/", isSpoken: true) { try $0.start(matching: text) }
    }

    /// Answers `GET /apps/{slug}?channel=`.
    @Sendable func app(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try slug(context)
        let channel = try channel(request)
        let target = "/apps/\(slug)" + (channel.map { "?channel=\($0)" } ?? "")
        return try await page(request, for: target, isSpoken: true, dependsOnAgent: true) {
            try $0.app(slug, channel)
        }
    }

    /// Answers `GET /apps/{slug}/{release}`.
    @Sendable func release(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try slug(context)
        let identifier = try release(context)
        let target = "/apps/\(slug)/\(identifier)"
        return try await page(request, for: target, isSpoken: true, dependsOnAgent: true) {
            try $0.release(identifier, of: slug)
        }
    }

    /// Answers `GET /apps/{slug}/history?page=`.
    @Sendable func history(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try slug(context)
        let number = request.uri.queryParameters["page"].map { Int($0) ?? -1 } ?? 1
        guard (1...100_000).contains(number) else { throw Refusal.notFound }
        let target = "/apps/\(slug)/history" + (number > 1 ? "?page=\(number)" : "")
        return try await page(request, for: target, isSpoken: true) {
            try $0.history(of: slug, page: number)
        }
    }

    /// Answers `GET /apps/{slug}/qr.svg?channel=`.
    @Sendable func code(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try slug(context)
        let channel = try channel(request)
        let target = "/apps/\(slug)/qr.svg" + (channel.map { "?channel=\($0)" } ?? "")
        return try await page(request, for: target) { try $0.code(of: slug, channel) }
    }

    /// Answers `GET /apps/{slug}/{release}/qr.svg`.
    @Sendable func releaseCode(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let slug = try slug(context)
        let identifier = try release(context)
        return try await page(request, for: "/apps/\(slug)/\(identifier)/qr.svg") {
            try $0.code(of: slug, identifier)
        }
    }

    /// Answers `GET /apps/{slug}/icon.png`.
    @Sendable func icon(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try slug(context)
        return try await page(request, for: "/apps/\(slug)/icon.png") {
            try $0.icon(of: slug, nil)
        }
    }

    /// Answers `GET /apps/{slug}/{release}/icon.png`.
    @Sendable func releaseIcon(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let slug = try slug(context)
        let identifier = try release(context)
        let target = "/apps/\(slug)/\(identifier)/icon.png"
        return try await page(request, for: target) { try $0.icon(of: slug, identifier) }
    }

    /// Answers `GET /help`, on both ports: readers may not trust the server's certificate yet.
    @Sendable func help(_ request: Request, _ context: RouteContext) async throws -> Response {
        let site = site
        let guide = site.pages.guide(site.pages.chrome(for: request))
        let answer = try await site.work {
            try site.pages.answer(guide, route: "/help")
        }
        return answer.response(to: request)
    }

    /// Answers `POST` to an app's pages: checks the passphrase and redirects to the same page.
    @Sendable func enter(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try slug(context)
        let site = site
        let app = try await site.work { try site.store.app(slug: slug) }
        guard let app, app.access == .passphrase else {
            throw Refusal.methodNotAllowed([.get, .head])
        }
        let visit = TesterRequest(request, in: site, references)
        let entry = PassphraseEntry(site: site)
        let stranger = StrangerForm(site: site)
        let session = try stranger.session(of: visit)
        let address = SignIn(site: site).address(request, context)
        let form = try await FormBody(ofStranger: request, at: address, in: site)
        try stranger.check(form, of: session)
        let cookie: String?
        do {
            cookie = try await site.work {
                try entry.open(app, with: form["passphrase"] ?? "", for: visit, from: address)
            }
        } catch let refusal as Refusal {
            guard case .tooManyGuesses(let wait) = refusal else { throw refusal }
            // The form remains, for those who mistyped.
            let problem = PageProblem(
                id: refusal.id,
                message: refusal.page(in: visit.words).message,
                fix: nil,
            )
            let answer = try await site.work {
                try maker(for: visit).form(of: app, problem: problem, status: refusal.status)
            }
            var response = answer.response(to: request)
            response.headers[.retryAfter] = "\(wait)"
            return response
        }
        guard let cookie else {
            let answer = try await site.work {
                try maker(for: visit).form(
                    of: app,
                    problem: PageProblem("passphrase.wrong", in: visit.words),
                )
            }
            return answer.response(to: request)
        }
        let path = request.head.path ?? ""
        var fields = ResponseFields.common
        fields[.location] = site.links.absolute(String(path.dropFirst(prefixLength(of: path))))
        fields[.cacheControl] = "no-store"
        fields[.setCookie] = cookie
        return Response(status: .seeOther, headers: fields)
    }

    /// Answers `POST /language`, on either port: stores the choice and redirects to the page.
    @Sendable func language(_ request: Request, _ context: RouteContext) async throws -> Response {
        try OwnOrigin.checkSite(request)
        let address = SignIn(site: site).address(request, context)
        let form = try await FormBody(ofStranger: request, at: address, in: site)
        guard let language = Language(tag: form["language"] ?? "") else {
            throw Refusal.malformed("there is no such language")
        }
        var fields = ResponseFields.common
        fields[.location] = SitePages.returnPath(form["to"] ?? "/")
        fields[.cacheControl] = "no-store"
        fields[.setCookie] = LanguageChoice.setting(language, path: site.links.base.path)
        return Response(status: .seeOther, headers: fields)
    }

    /// Answers `GET /public/…`, `/favicon.ico`, `/robots.txt` and `/runner.py`.
    @Sendable func file(_ request: Request, _ context: RouteContext) async throws -> Response {
        let path = String(request.uri.path.dropFirst(prefixLength(of: request.uri.path)))
        guard let answer = site.pages.publicAnswers[path] else {
            throw Refusal.notFound
        }
        return answer.response(to: request)
    }

    /// Returns the length of the base URL's path, if a proxy has left it in front of `path`.
    private func prefixLength(of path: String) -> Int {
        let prefix = site.links.base.path
        return !prefix.isEmpty && path.hasPrefix(prefix + "/") ? prefix.count : 0
    }

    private func maker(for visit: TesterRequest) -> PageMaker {
        PageMaker(site: site, installs: installs, visit: visit, progress: progress)
    }

    /// Renders a response on a thread that may block, and caches it for a moment if it is for everyone
    /// and the request's path is spelled as links spell it.
    private func page(
        _ request: Request,
        for target: String,
        isSpoken: Bool = false,
        dependsOnAgent: Bool = false,
        _ make: @escaping @Sendable (PageMaker) throws -> CachedResponse,
    ) async throws -> Response {
        let site = site
        let visit = try await TesterRequest(request, in: site, references).confirmed()
        let maker = maker(for: visit)
        let answerNow = { @Sendable () async throws in try await site.work { try make(maker) } }
        do {
            guard request.head.path == target, !visit.hasCookies else {
                return try await answerNow().response(to: request)
            }
            let answer = try await site.answers.keep(
                for: target,
                variant: isSpoken
                    ? ResponseVariant(
                        dependsOnAgent ? visit.visitor : nil,
                        in: visit.words.language,
                    ) : nil,
                lasting: Site.freshness,
                making: answerNow,
            )
            return answer.response(to: request)
        } catch let refused as RefusedEntry {
            return refused.answer.response(to: request)
        }
    }

    private func slug(_ context: RouteContext) throws(Refusal) -> Slug {
        guard let slug = Slug(try context.text("slug")) else { throw .notFound }
        return slug
    }

    private func release(_ context: RouteContext) throws(Refusal) -> ReleaseIdentifier {
        guard let release = ReleaseIdentifier(try context.text("release")) else { throw .notFound }
        return release
    }

    private func channel(_ request: Request) throws(Refusal) -> ChannelName? {
        guard let text = request.uri.queryParameters["channel"] else { return nil }
        guard let channel = ChannelName(String(text)) else { throw .notFound }
        return channel
    }
}
