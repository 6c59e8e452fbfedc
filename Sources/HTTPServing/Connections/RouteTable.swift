package import HTTPTypes
package import Hummingbird

/// Answers the requests of one address and method.
package typealias RouteHandler =
    @Sendable (Request, RouteContext) async throws -> Response

/// Addresses below the base URL, and what answers each method there.
package typealias RouteTable = [(path: String, handlers: [HTTPRequest.Method: RouteHandler])]
