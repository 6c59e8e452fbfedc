import HTTPTypes
import Hummingbird
import NIOCore
import Pages
import Releases

/// What testers look at.
struct PageRoutes: Sendable {
    let site: Site

    /// Answers `GET /`.
    @Sendable func start(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await page(request, for: "/", route: "/") { site in
            try PageMaker(site: site).start()
        }
    }

    /// Answers `GET /apps/{slug}?channel=`.
    @Sendable func app(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try slug(context)
        let channel = try channel(request)
        let visitor = Visitor(userAgent: request.headers[.userAgent])
        let target = "/apps/\(slug)" + (channel.map { "?channel=\($0)" } ?? "")
        return try await page(request, for: target, visitor, route: "/apps/{slug}") { site in
            try PageMaker(site: site).app(slug, channel, for: visitor)
        }
    }

    /// Answers `GET /apps/{slug}/{release}`.
    @Sendable func release(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try slug(context)
        let identifier = try release(context)
        let visitor = Visitor(userAgent: request.headers[.userAgent])
        let target = "/apps/\(slug)/\(identifier)"
        return try await page(request, for: target, visitor, route: "/apps/{slug}/{release}") {
            try PageMaker(site: $0).release(identifier, of: slug, for: visitor)
        }
    }

    /// Answers `GET /apps/{slug}/history?page=`.
    @Sendable func history(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try slug(context)
        let number = request.uri.queryParameters["page"].map { Int($0) ?? -1 } ?? 1
        guard (1...100_000).contains(number) else { throw Refusal.notFound }
        let target = "/apps/\(slug)/history" + (number > 1 ? "?page=\(number)" : "")
        return try await page(request, for: target, route: "/apps/{slug}/history") {
            try PageMaker(site: $0).history(of: slug, page: number)
        }
    }

    /// Answers `GET /apps/{slug}/qr.svg`.
    @Sendable func code(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try slug(context)
        return try await page(request, for: "/apps/\(slug)/qr.svg", route: "/apps/{slug}/qr.svg") {
            try PageMaker(site: $0).code(of: slug)
        }
    }

    /// Answers `GET /apps/{slug}/icon.png`.
    @Sendable func icon(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try slug(context)
        return try await page(
            request,
            for: "/apps/\(slug)/icon.png",
            route: "/apps/{slug}/icon.png",
        ) {
            try PageMaker(site: $0).icon(of: slug, nil)
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
        return try await page(request, for: target, route: "/apps/{slug}/{release}/icon.png") {
            try PageMaker(site: $0).icon(of: slug, identifier)
        }
    }

    /// Answers `GET /public/…`, `/favicon.ico` and `/robots.txt`.
    @Sendable func file(_ request: Request, _ context: RouteContext) async throws -> Response {
        let path = String(request.uri.path.dropFirst(prefixLength(of: request.uri.path)))
        guard let answer = site.pages.publicAnswers[path] else {
            throw Refusal.notFound
        }
        return answer.response(to: request)
    }

    /// Characters of the base URL's path, where a proxy has left it in front.
    private func prefixLength(of path: String) -> Int {
        let prefix = site.links.base.path
        return !prefix.isEmpty && path.hasPrefix(prefix + "/") ? prefix.count : 0
    }

    /// Makes an answer where waiting is allowed, and keeps it for a moment when the request was
    /// spelled in the one way that links spell it.
    private func page(
        _ request: Request,
        for target: String,
        _ visitor: Visitor? = nil,
        route: String,
        _ make: @escaping @Sendable (Site) throws -> StoredAnswer,
    ) async throws -> Response {
        let site = site
        let answer = try await site.work { try make(site) }
        if request.head.path == target {
            site.answers.keep(answer, for: target, visitor: visitor, lasting: Site.freshness)
        }
        return answer.response(to: request)
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
