import APIDocuments
import Access
import Foundation
import HTTPServing
import Hummingbird
import Identifiers
import Inspection
import Pages
import Releases
import SiteServices
import Store
import Uploads

/// Publishing builds from the browser: the form, and the result of an upload.
///
/// The page's script sends the file to `/api/v1/uploads`, in parts and with the form code.
struct AdminPublishing: Sendable {
    /// The most channels that the form suggests.
    private static let proposals = 50

    let gate: AdminGate

    var table: RouteTable {
        [
            Route("/publish", [.get: form]),
            Route("/publish/{upload}", [.get: outcome, .post: choose]),
        ]
    }

    /// Answers `GET /admin/publish`.
    @Sendable func form(_ request: Request, _ context: RouteContext) async throws -> Response {
        let wanted = request.uri.queryParameters["channel"].flatMap { ChannelName(String($0)) }
        return try await gate.page(request, context, in: .apps, require: .read) { visit in
            guard visit.principal.mayPublish else { throw Refusal.notAllowed }
            let names = Set(try visit.apps().flatMap { $0.channels.keys }).union([.stable])
            return PublishPage(
                channel: wanted ?? .stable,
                channels: names.sorted().prefix(Self.proposals).map(\.self),
                base: visit.site.links.base,
                links: visit.links,
                scriptURL: visit.site.pages.publicURL("publish.js"),
                checked: try Self.checkedFiles(visit),
                admin: try visit.chrome(),
            )
        }
    }

    private static func checkedFiles(_ visit: AdminRequest) throws -> [CheckedFile] {
        try visit.services.checkedBuilds.list(visit.principal).compactMap { record in
            guard case .checked(let build, let findings) = try outcome(of: record, for: visit)
            else { return nil }
            return CheckedFile(
                build,
                findings: findings.count,
                checked: record.touched,
                at: visit.now,
            )
        }
    }

    /// Answers `GET /admin/publish/{upload}`, for the uploader and for admins.
    @Sendable func outcome(_ request: Request, _ context: RouteContext) async throws -> Response {
        guard let identifier = UploadIdentifier(try context.text("upload")) else {
            throw Refusal.notFound
        }
        return try await gate.page(request, context, in: .apps, require: .read) { visit in
            guard let record = try visit.store.upload(identifier),
                visit.isAdmin || record.token == visit.principal.uploader
            else { throw Refusal.notFound }
            return UploadPage(
                try Self.outcome(of: record, for: visit),
                links: visit.links,
                scriptURL: visit.site.pages.publicURL("publish.js"),
                admin: try visit.chrome(),
            )
        }
    }

    /// Answers `POST /admin/publish/{upload}`: publishes a checked build, or drops it.
    @Sendable func choose(_ request: Request, _ context: RouteContext) async throws -> Response {
        guard let identifier = UploadIdentifier(try context.text("upload")) else {
            throw Refusal.notFound
        }
        return try await gate.action(request, context, in: .apps, require: .read) { visit, form in
            guard visit.principal.mayPublish else { throw Refusal.notAllowed }
            let builds = visit.services.checkedBuilds
            switch form["choice"] {
            case "publish":
                try builds.publish(identifier, visit.principal)
                return .elsewhere(visit.links.upload("\(identifier)"))
            case "drop":
                try builds.drop(identifier, visit.principal)
                return .done(
                    "File discarded. Nothing was published.",
                    goingTo: visit.links.publish,
                )
            default: throw Refusal.notFound
            }
        }
    }

    private static func outcome(
        of record: UploadRecord,
        for visit: AdminRequest,
    ) throws -> UploadPage.Outcome {
        guard let answer = record.answer else {
            return record.state == .receiving ? .receiving(size: record.offer.size) : .publishing
        }
        let body = Data(answer.body.utf8)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard answer.status < 300 else {
            let problem = try decoder.decode(ProblemDocument.self, from: body)
            return .refused(
                PageProblem(problem.problem),
                problem.findings?.map(\.finding) ?? [],
                isCheck: record.isCheck,
            )
        }
        let published = try decoder.decode(PublishDocument.self, from: body)
        let app = BundleIdentifier(published.app)
        let release = ReleaseIdentifier(published.release)
        if record.isCheck, let app, let release {
            return .checked(
                UploadPage.Checked(
                    // The app of a first build does not exist yet.
                    title: try visit.store.app(app)?.title ?? published.app,
                    release: release,
                    channel: published.channel,
                    isNew: published.created,
                    registered: published.devices.registered,
                    canInstall: published.devices.canInstall,
                    mayPublish: record.token == visit.principal.uploader,
                    url: visit.links.upload("\(record.identifier)"),
                    code: visit.formCode,
                ),
                published.findings.map(\.finding),
            )
        }
        guard let app, let release, let found = try visit.store.app(app), visit.sees(app) else {
            throw Refusal.notFound
        }
        return .published(
            UploadPage.Published(
                title: found.title,
                release: release,
                channel: published.channel,
                isNew: published.created,
                isOffered: published.offered ?? true,
                registered: published.devices.registered,
                canInstall: published.devices.canInstall,
                remarks: published.remarks ?? [],
                pageURL: visit.links.release(release, of: found.slug),
            ),
            published.findings.map(\.finding),
        )
    }
}
