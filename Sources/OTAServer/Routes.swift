import HTTPServing
import HTTPTypes
import Hummingbird
import Releases

/// Every address of the site, and what answers there.
///
/// A `GET` route answers `HEAD` too; any other method gets 405.
struct Routes {
    typealias Handler = @Sendable (Request, RouteContext) async throws -> Response

    /// A proxy may pass the base URL's path on or take it away.
    private let prefixes: [String]
    private let router = Router(context: RouteContext.self, options: .autoGenerateHeadEndpoints)

    /// The addresses of the TLS port.
    init(site: Site) {
        prefixes = Set(["", site.links.base.path]).sorted()
        router.add(middleware: RefusalPages(pages: site.pages, logger: site.logger))
        router.add(middleware: OneSpelling(prefix: site.links.base.path))
        let pages = PageRoutes(site: site)
        let install = InstallRoutes(site: site)
        let operations = OperationRoutes(site: site)
        let trust = TrustRoutes(site: site)

        get("/", pages.start)
        get("/help", pages.help)
        on("/apps/{slug}", [.get: pages.app, .post: pages.enter])
        on("/apps/{slug}/history", [.get: pages.history, .post: pages.enter])
        get("/apps/{slug}/icon.png", pages.icon)
        get("/apps/{slug}/qr.svg", pages.code)
        on("/apps/{slug}/{release}", [.get: pages.release, .post: pages.enter])
        get("/apps/{slug}/{release}/icon.png", pages.releaseIcon)
        get("/install/{capability}/{file}", install.file)
        get("/trust", trust.page)
        get("/trust/authority.mobileconfig", trust.profile)
        get("/trust/authority.pem", trust.certificate)
        let enrol = EnrolRoutes(site: site)
        on("/enrol", [.get: enrol.form, .post: enrol.typed])
        on("/enrol/{token}", [.get: enrol.invitation, .post: enrol.answer])
        get("/enrol/{token}/profile.mobileconfig", enrol.profile)
        get("/enrolled/{result}", enrol.result)
        on("/hooks/{mirror}", [.post: HookRoutes(site: site).deliver])
        for (path, handlers) in UploadRoutes(site: site).table { on(path, handlers) }
        get("/events", EventRoutes(site: site).events)
        for (path, handlers) in AdminRoutes(site: site).table { on("/admin" + path, handlers) }
        get("/healthz", operations.health)
        get("/readyz", operations.readiness)
        get("/metrics", operations.metrics)
        for path in site.pages.publicAnswers.keys.sorted() { get(path, pages.file) }
        addAPI(APIResponder(site: site))
    }

    /// The addresses of `/api/v1`.
    private func addAPI(_ desk: APIResponder) {
        let paths = Dictionary(grouping: APIRoutes.all, by: \.path)
        for (path, routes) in paths {
            var handlers: [HTTPRequest.Method: Handler] = [:]
            for route in routes {
                handlers[route.method] = { try await desk.answer($0, $1, by: route) }
            }
            on(APIRoute.root + path, handlers)
        }
    }

    /// The addresses of the plain port: a phone must be able to fetch the authority before it can
    /// trust anything, and everything else belongs to TLS.
    init(plainFor site: Site) {
        prefixes = [""]
        router.add(middleware: RefusalPages(pages: site.pages, logger: site.logger))
        let trust = TrustRoutes(site: site)
        get("/trust", trust.page)
        get("/trust/authority.mobileconfig", trust.profile)
        get("/help", PageRoutes(site: site).help)
        get("/trust/authority.pem", trust.certificate)
        for path in site.pages.publicAnswers.keys.sorted() {
            get(path, PageRoutes(site: site).file)
        }
        get("/.well-known/acme-challenge/{token}") { _, _ in throw Refusal.notFound }
        get("/", trust.redirect)
        get("/**", trust.redirect)
    }

    func responder() -> RouterResponder<RouteContext> {
        router.buildResponder()
    }

    private func get(_ path: String, _ handler: @escaping Handler) {
        on(path, [.get: handler])
    }

    /// What answers at an address; `GET` answers `HEAD` too, and other methods get 405.
    private func on(_ path: String, _ handlers: [HTTPRequest.Method: Handler]) {
        let allowed = Set(handlers.keys.flatMap { $0 == .get ? [.get, .head] : [$0] })
            .sorted { $0.rawValue < $1.rawValue }
        for prefix in prefixes {
            for method in [HTTPRequest.Method.get, .post, .put, .delete, .patch, .options, .trace] {
                router.on(RouterPath(prefix + path), method: method) { request, context in
                    guard let handler = handlers[method] else {
                        throw Refusal.methodNotAllowed(allowed)
                    }
                    return try await handler(request, context)
                }
            }
        }
    }
}
