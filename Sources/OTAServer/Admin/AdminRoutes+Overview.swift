import Access
import Hummingbird
import Pages

/// What happens at the moment, on one page.
extension AdminRoutes {
    /// Answers `GET /admin`.
    @Sendable func dashboard(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.page(request, context, in: .dashboard, require: .read) { visit in
            AdminMessagePage(
                title: "Overview",
                message: "\(try visit.apps().count) apps",
                admin: try visit.chrome(),
            )
        }
    }
}
