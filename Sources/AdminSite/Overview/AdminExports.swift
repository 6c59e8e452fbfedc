import APIDocuments
import Access
import Administration
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import NIOCore
import Releases
import SiteServices

/// Exports of lists as CSV, for admins of all apps.
struct AdminExports: Sendable {
    let gate: AdminGate

    /// The routes, relative to `/admin`.
    var table: AdminRoutes.Table {
        [
            Route("/export/activity.csv", [.get: activity]),
            Route("/export/devices.csv", [.get: devices]),
            Route("/export/installs.csv", [.get: installs]),
            Route("/export/feedback.csv", [.get: feedback]),
        ]
    }

    /// Answers `GET /admin/export/activity.csv?app=&actor=&kind=&from=&to=`.
    @Sendable private func activity(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let text = request.uri.queryParameters["app"].map { String($0) } ?? ""
        let filter = try AdminActivity.filter(request)
        return try await answer(request) { visit in
            .activity(of: try Self.app(text, visit), matching: filter)
        }
    }

    @Sendable private func devices(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        try await answer(request) { _ in .devices }
    }

    /// Answers `GET /admin/export/installs.csv?app=`.
    @Sendable private func installs(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let text = request.uri.queryParameters["app"].map { String($0) } ?? ""
        return try await answer(request) { visit in
            .installs(of: try Self.app(text, visit), days: ExportedList.usualDays)
        }
    }

    /// Answers `GET /admin/export/feedback.csv?app=`.
    @Sendable private func feedback(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let text = request.uri.queryParameters["app"].map { String($0) } ?? ""
        return try await answer(request) { visit in
            guard let slug = Slug(text) else { throw Refusal.notFound }
            return .feedback(of: try visit.app(slug).bundleIdentifier.rawValue)
        }
    }

    /// Returns the bundle identifier of the app with a slug; nil for an empty text.
    private static func app(_ text: String, _ visit: AdminRequest) throws -> String? {
        guard !text.isEmpty else { return nil }
        guard let slug = Slug(text) else { throw Refusal.notFound }
        return try visit.app(slug).bundleIdentifier.rawValue
    }

    private func answer(
        _ request: Request,
        _ list: @escaping @Sendable (AdminRequest) throws -> ExportedList,
    ) async throws -> Response {
        let site = gate.site
        let admin = try await SignIn(site: site).admin(request)
        try SignIn.require(admin.principal, .admin)
        let visit = AdminRequest(
            services: gate.services,
            principal: admin.principal,
            session: admin.session,
            section: nil,
            flash: nil,
        )
        let (export, name) = try await site.work {
            let list = try list(visit)
            return (try visit.administration.export(list), list.fileName)
        }
        var fields = ResponseFields.of(type: CSVLine.mediaType, cache: "private, no-store")
        fields[.contentDisposition] = "attachment; filename=\"\(name)\""
        let body = ResponseBody { writer in
            var place: CSVExport.Place? = .beginning
            while let current = place {
                let piece = try await site.work { try export.piece(at: current) }
                if !piece.bytes.isEmpty { try await writer.write(ByteBuffer(bytes: piece.bytes)) }
                place = piece.next
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: fields, body: body)
    }
}
