import ACME
import API
import AdminSite
import HTTPServing
import HTTPTypes
import Hummingbird
import NIOCore
import Releases
import SiteServices
import TesterSite

/// The route tables of the server.
///
/// A `GET` route answers `HEAD` too; any other method gets 405.
struct Routes: Sendable {
    let site: Site
    let bodies: BodyLimits
    let testers: TesterServices
    let admins: AdminServices
    let programs: APIServices
    let operations: OperationRoutes
    /// Answers ACME challenges; nil if no ACME authority is used.
    let keeper: ACMEKeeper?

    /// The routes of the TLS port; a proxy may forward the base URL's path or remove it.
    var secure: RouteResponder.Routes {
        let router = Self.router(for: site)
        router.add(middleware: OneSpelling(prefix: site.links.base.path))
        let table =
            TesterRoutes(testers).table + AdminRoutes(admins).table + APITable(programs).table
            + operations.table
        return routes(of: table, below: ["", site.links.base.path], router)
    }

    /// The routes of the plain port.
    var plain: RouteResponder.Routes {
        let table =
            TesterRoutes(testers).plainTable
            + [Route("/.well-known/acme-challenge/{token}", [.get: challenge])]
        return routes(of: table, below: [""], Self.router(for: site))
    }

    /// Answers an HTTP-01 challenge (RFC 8555, section 8.3).
    @Sendable private func challenge(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        guard let keeper, let token = context.parameters.get("token") else {
            throw Refusal.notFound
        }
        guard let answer = try await site.work({ try keeper.answer(toToken: token) }) else {
            throw Refusal.notFound
        }
        return Response(
            status: .ok,
            headers: ResponseFields.of(type: "application/octet-stream", cache: "no-store"),
            body: ResponseBody(byteBuffer: ByteBuffer(string: answer)),
        )
    }

    private func routes(
        of table: RouteTable,
        below prefixes: Set<String>,
        _ router: Router<RouteContext>,
    ) -> RouteResponder.Routes {
        for prefix in prefixes { Self.add(table, below: prefix, to: router) }
        let rules = BodyRules(
            of: table,
            below: prefixes,
            small: bodies.bodyBytes,
            large: bodies.apiBodyBytes,
        )
        return (router.buildResponder(), rules)
    }

    private static func router(for site: Site) -> Router<RouteContext> {
        let router = Router(context: RouteContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RefusalPages(pages: site.pages, logger: site.logger))
        return router
    }

    /// `GET` answers `HEAD` too, and methods that the table does not name get 405.
    private static func add(
        _ table: RouteTable,
        below prefix: String,
        to router: Router<RouteContext>,
    ) {
        for route in table {
            let allowed = Set(route.handlers.keys.flatMap { $0 == .get ? [.get, .head] : [$0] })
                .sorted { $0.rawValue < $1.rawValue }
            let path = RouterPath(prefix + route.path)
            for method in [HTTPRequest.Method.get, .post, .put, .delete, .patch, .options, .trace] {
                router.on(path, method: method) { request, context in
                    guard let handler = route.handlers[method] else {
                        throw Refusal.methodNotAllowed(allowed)
                    }
                    return try await handler(request, context)
                }
            }
        }
    }
}
