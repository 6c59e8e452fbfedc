import APIDocuments
import Access
import Administration
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Jobs
import Pages
import Releases
import SiteServices
import Store

/// The pages of jobs, and their buttons.
struct AdminJobs: Sendable {
    /// The most ended jobs that are shown.
    private static let shownEnded = 100

    let gate: AdminGate

    /// The routes of the pages and their buttons, relative to `/admin`.
    var table: AdminRoutes.Table {
        [Route("/jobs", [.get: list]), Route("/jobs/{job}", [.get: page])]
            + JobButton.all.map { button in
                Route("/jobs/{job}/\(button.verb)", [.post: press(button)])
            }
    }

    /// Answers `GET /admin/jobs`.
    @Sendable func list(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.page(request, context, in: .dashboard) { visit in
            let jobs = try visit.store.jobs().map { try JobEntry($0, in: visit.store) }
            return JobsPage(
                open: jobs.filter { !$0.state.isOver }.map { $0.line(visit) },
                ended: jobs.filter(\.state.isOver).prefix(Self.shownEnded).map { $0.line(visit) },
                links: visit.links,
                admin: try visit.chrome(),
            )
        }
    }

    /// Answers `GET /admin/jobs/{job}`, for users who may read its app.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let identifier = try context.text("job")
        return try await gate.page(request, context, in: .dashboard, require: .read) { visit in
            let job = try Self.job(identifier, visit)
            return JobPage(
                job.line(visit),
                parts: job.progress.map { ($0.done, $0.total) },
                steps: job.stepLines,
                facts: try job.facts(visit),
                buttons: visit.isAdmin
                    ? JobButton.all.filter { $0.isOffered(job.state) }
                        .map { ActionButton($0, of: job, visit) } : [],
                jobsURL: visit.isAdmin ? visit.links.jobs : nil,
                admin: try visit.chrome(),
            )
        }
    }

    /// Answers the `POST` of a button.
    private func press(_ button: JobButton) -> RouteHandler {
        { request, context in
            let identifier = try context.text("job")
            return try await gate.action(request, context, in: .dashboard) { visit, _ in
                let job = try Self.job(identifier, visit)
                return .done(
                    try button.press(visit, job.id),
                    goingTo: visit.links.job(job.id),
                )
            }
        }
    }

    /// - Throws: ``Refusal/notFound`` for a job that does not exist, or that they may not see.
    private static func job(_ identifier: String, _ visit: AdminRequest) throws -> JobEntry {
        do {
            return try visit.perform(ShowJob(identifier)).job
        } catch JobRefusal.unknown, JobRefusal.notShown {
            throw Refusal.notFound
        }
    }
}
