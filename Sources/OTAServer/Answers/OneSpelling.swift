import Bytes
import HTTPServing
import Hummingbird
import SiteServices

/// Accepts only one spelling of each path, so that a proxy's rules about paths hold here too.
struct OneSpelling: RouterMiddleware {
    /// The base URL's path, whose start page ends in a slash.
    let prefix: String

    func handle(
        _ request: Request,
        context: RouteContext,
        next: @concurrent (Request, RouteContext) async throws -> Response,
    ) async throws -> Response {
        let path = request.uri.path
        guard !path.containsBytes(of: "//"), !path.containsBytes(of: "\\"),
            path == prefix + "/" || path == "/" || !path.hasBytes(last: "/")
        else {
            throw Refusal.notFound
        }
        return try await next(request, context)
    }
}
