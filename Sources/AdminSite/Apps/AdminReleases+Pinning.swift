import APIDocuments
import HTTPServing
import Hummingbird
import Releases

/// Pinned releases, which retention rules never delete.
extension AdminReleases {
    /// Answers `POST /admin/apps/{slug}/{release}/pin`.
    @Sendable func pin(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await act(request, context) { visit, release, _ in
            try visit.perform(PinRelease(release.identifier, of: release.appName))
            return .done("Release pinned.", goingTo: release.links.page)
        }
    }

    /// Answers `POST /admin/apps/{slug}/{release}/unpin`.
    @Sendable func unpin(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await act(request, context) { visit, release, _ in
            try visit.perform(UnpinRelease(release.identifier, of: release.appName))
            return .done("Release unpinned.", goingTo: release.links.page)
        }
    }
}
