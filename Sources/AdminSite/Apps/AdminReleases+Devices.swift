import Access
import HTTPServing
import Hummingbird
import Pages
import Releases
import SiteServices
import Store

/// Which devices can install a release.
extension AdminReleases {
    private static let deviceCount = 60

    /// Answers `GET /admin/apps/{slug}/{release}/devices?show=&page=`.
    @Sendable func devices(_ request: Request, _ context: RouteContext) async throws -> Response {
        let text = request.uri.queryParameters["show"].map(String.init) ?? ""
        guard let show = ReleaseDevicesPage.Show(rawValue: text) else { throw Refusal.notFound }
        let number = try request.pageNumber
        return try await look(request, context, require: .admin) { visit, release in
            let coverage = try visit.coverage(of: release.release)
            let places = show.places(of: coverage)
            let first = (number - 1) * Self.deviceCount
            guard number == 1 || first < places.count else { throw Refusal.notFound }
            let url = { (show: ReleaseDevicesPage.Show, page: Int) in
                let query =
                    (show == .all ? [] : ["show=\(show.rawValue)"])
                    + (page > 1 ? ["page=\(page)"] : [])
                return release.links.devices
                    + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
            }
            return ReleaseDevicesPage(
                of: release.title,
                at: release.links.page,
                coverage: coverage,
                devices: try visit.devices(
                    at: places.dropFirst(first).prefix(Self.deviceCount),
                    judgedBy: visit.store.report(of: release.release),
                ),
                show: show,
                turn: PageTurn(
                    number: number,
                    length: Self.deviceCount,
                    total: places.count,
                    url: { url(show, $0) },
                ),
                pageURL: { url($0, 1) },
                admin: try visit.chrome(),
            )
        }
    }
}
