import APIDocuments
import Access
import HTTPServing
import Hummingbird
import Identifiers
import Pages
import Releases
import SiteServices
import Store

/// Testers' feedback on an app.
struct AdminFeedback: Sendable {
    /// The most entries on the app's page.
    private static let fewest = 5

    let gate: AdminGate

    var table: RouteTable {
        [
            Route("/apps/{slug}/feedback", [.get: page]),
            Route("/apps/{slug}/feedback/{feedback}/delete", [.post: delete]),
        ]
    }

    /// Answers `GET /admin/apps/{slug}/feedback`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try context.slug
        return try await gate.page(request, context, in: .apps) { visit in
            let app = try visit.app(slug)
            return FeedbackListPage(
                of: app,
                feedback: try Self.list(of: app, .max, for: visit),
                links: visit.links,
                admin: try visit.chrome(),
            )
        }
    }

    /// Answers `POST /admin/apps/{slug}/feedback/{feedback}/delete`.
    @Sendable func delete(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try context.slug
        let identifier = try context.text("feedback")
        return try await gate.action(request, context, in: .apps) { visit, _ in
            let app = try visit.app(slug)
            try visit.perform(DeleteFeedback(identifier, of: app.bundleIdentifier.rawValue))
            return .done("Feedback deleted.", goingTo: visit.links.pages(of: app.slug).feedback)
        }
    }

    /// Returns the latest feedback for the app's page; nil if there is none and testers cannot send any.
    static func newest(of app: AppRecord, for visit: AdminRequest) throws -> FeedbackList? {
        let record = try visit.store.unlessDamaged {
            try visit.store.feedback(of: app.bundleIdentifier)
        }
        guard let record, app.feedback == .form || !record.entries.isEmpty else { return nil }
        return FeedbackList(
            record,
            atMost: fewest,
            links: visit.links.pages(of: app.slug),
            code: visit.formCode,
        )
    }

    private static func list(
        of app: AppRecord,
        _ count: Int,
        for visit: AdminRequest,
    ) throws -> FeedbackList {
        FeedbackList(
            try visit.store.feedback(of: app.bundleIdentifier),
            atMost: count,
            links: visit.links.pages(of: app.slug),
            code: visit.formCode,
        )
    }
}
