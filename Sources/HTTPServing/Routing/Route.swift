package import HTTPTypes
package import Hummingbird

/// Answers the requests of one method at one path.
package typealias RouteHandler =
    @Sendable (Request, RouteContext) async throws -> Response

/// Routes with paths relative to the base URL.
package typealias RouteTable = [Route]

/// One path, its handler for each method, and the bodies that it accepts.
package struct Route: Sendable {
    /// With parameters in braces, such as `/apps/{app}`.
    package let path: String
    package let handlers: [HTTPRequest.Method: RouteHandler]
    let body: BodyRule

    /// - Parameters:
    ///   - path: with parameters in braces, such as `/apps/{app}`.
    ///   - handlers: the handler of each method.
    ///   - body: the bodies that the path accepts.
    package init(
        _ path: String,
        _ handlers: [HTTPRequest.Method: RouteHandler],
        body: BodyRule = .small,
    ) {
        self.path = path
        self.handlers = handlers
        self.body = body
    }

    /// Returns the same route below another path.
    package func below(_ folder: String, body: BodyRule) -> Route {
        Route(folder + path, handlers, body: body)
    }
}
