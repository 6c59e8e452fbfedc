package import HTTPServing
import HTTPTypes
import Mirrors
import NIOHTTP1

/// The routes for programs: `/api/v1`, uploads, and webhooks of git hosts.
package struct APITable: Sendable {
    private let services: APIServices

    /// - Parameter services: the services that the routes use.
    package init(_ services: APIServices) {
        self.services = services
    }

    package var table: RouteTable {
        let hooks = HookRoutes(site: services.site)
        let uploads = UploadRoutes(site: services.site, uploads: services.uploads)
        let runners = RunnerRoutes(
            site: services.site,
            board: services.runners,
            reception: services.reception,
            uploads: services.uploads,
            agent: services.runnerAgent,
        )
        return actions + uploads.table + runners.table + [
            Route(
                "/hooks/{mirror}",
                [.post: hooks.deliver],
                body: .atMost(HookDelivery.sizeLimit),
            )
        ]
    }

    private var actions: RouteTable {
        let responder = APIResponder(services: services)
        return Dictionary(grouping: APIRoutes.all, by: \.path).map { path, routes in
            var handlers: [HTTPRequest.Method: RouteHandler] = [:]
            for route in routes {
                handlers[route.method] = { try await responder.answer($0, $1, by: route) }
            }
            let taking = Set(routes.filter(\.takesBody).map(\.method.rawValue))
            return Route(
                APIRoute.root + path,
                handlers,
                body: taking.isEmpty
                    ? .large : .counted(isTaken: { taking.contains($0.method.rawValue) }),
            )
        }
    }
}
