package import HTTPTypes
package import Hummingbird

/// Answers the requests of one address and method.
package typealias RouteHandler =
    @Sendable (Request, RouteContext) async throws -> Response

/// Addresses below the base URL, and what answers there.
package typealias RouteTable = [Route]

/// One address, what answers each method there, and what bodies it takes.
package struct Route: Sendable {
    /// With parameters in braces, such as `/apps/{app}`.
    package let path: String
    package let handlers: [HTTPRequest.Method: RouteHandler]
    let body: BodyRule

    /// - Parameters:
    ///   - path: with parameters in braces, such as `/apps/{app}`.
    ///   - handlers: what answers each method.
    ///   - body: what bodies the address takes.
    package init(
        _ path: String,
        _ handlers: [HTTPRequest.Method: RouteHandler],
        body: BodyRule = .small,
    ) {
        self.path = path
        self.handlers = handlers
        self.body = body
    }

    /// The same address below another one.
    package func below(_ folder: String, body: BodyRule) -> Route {
        Route(folder + path, handlers, body: body)
    }
}
