import APIDocuments
import Access
import Administration
import HTTPServing
import Hummingbird
import Identifiers
import NIOCore
import Pages
import Problems
import Releases
import SiteServices

/// Imports and exports device lists in the format of Apple's developer site.
struct AdminDeviceLists: Sendable {
    /// The most bytes of an imported list: about ten thousand devices.
    private static let greatestList = 1 << 20

    let gate: AdminGate

    /// Answers `GET /admin/devices/export?all=`.
    @Sendable func export(_ request: Request, _ context: RouteContext) async throws -> Response {
        let all = request.uri.queryParameters["all"] != nil
        return try await gate.file(request, require: .admin) { visit in
            let list = try visit.perform(ExportDevices(all: all)).list
            var fields = ResponseFields.of(
                type: "text/tab-separated-values; charset=utf-8",
                cache: "private, no-store",
            )
            fields[.contentDisposition] = "attachment; filename=\"devices.txt\""
            return CachedResponse(
                route: "/admin/devices/export",
                status: .ok,
                fields: fields,
                body: ByteBuffer(string: list),
            )
        }
    }

    /// Answers `GET /admin/devices/import`.
    @Sendable func importForm(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        try await gate.page(request, context, in: .devices) { visit in
            DeviceImportPage(links: visit.links, admin: try visit.chrome())
        }
    }

    /// Answers `POST /admin/devices/import`, with a file or its text.
    @Sendable func take(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(
            request,
            context,
            in: .devices,
            atMost: Self.greatestList,
        ) { visit, form in
            let file = form["file"].flatMap { $0.isEmpty ? nil : $0 }
            let list = file ?? form["list"] ?? ""
            let family = form["family"].flatMap { ProductFamily(rawValue: $0) } ?? .iphone
            let isRegistered = form["registered"] != nil
            do {
                guard list.contains(where: { !$0.isWhitespace }) else {
                    throw Problem(form: "list", "choose a file or paste its text")
                }
                let outcome = try visit.perform(
                    ImportDevices(
                        DeviceListing(text: list, isRegistered: isRegistered, family: family)
                    )
                )
                var report = ActionReport(outcome.sentence)
                report.isWarning = !outcome.shortened.isEmpty
                return .reported(report, goingTo: visit.links.devices)
            } catch {
                guard let problem = Problem(ofForm: error) else { throw error }
                let page = DeviceImportPage(
                    links: visit.links,
                    typed: (file == nil ? list : "", family, isRegistered),
                    problem: PageProblem(problem),
                    admin: try visit.chrome(),
                )
                return .again(page, problem.kind.status)
            }
        }
    }
}
