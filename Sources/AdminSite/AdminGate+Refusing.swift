import HTTPServing
import HTTPTypes
import Hummingbird
import Logging
import Pages
import Problems
import Releases
import SiteServices
import Store

extension AdminGate {
    /// Returns a page with navigation that explains an error to an admin.
    static func answer(
        to error: any Error,
        _ visit: AdminRequest,
        _ route: String,
    ) throws -> CachedResponse {
        let title: String
        let status: HTTPResponse.Status
        let problem: Problem
        switch Refusal.hidingPaths(of: error, from: visit.principal) {
        case let refusal as Refusal:
            (title, status, problem) = (refusal.title, refusal.status, refusal.problem)
        case _ where BrokenOff.isCause(error): throw error
        case let error as any ReportableError:
            problem = error.problem
            status = problem.kind.status
            title = Self.title(of: error)
        default: throw error
        }
        if status.code >= 500, !(error is Refusal) {
            visit.site.logger.error("a page failed", metadata: ["reason": "\(error)"])
        }
        let said = PageProblem(problem)
        let page = AdminMessagePage(
            title: title,
            message: said.message,
            fix: said.fix,
            problem: said.id,
            backURL: visit.section?.url(visit.links) ?? visit.links.dashboard,
            admin: try visit.chrome(),
        )
        return try visit.site.pages.answer(
            page,
            status: status,
            route: route,
            isForAdmins: true,
            retryAfter: problem.kind.retryAfter,
        )
    }

    /// Returns the HTTP status of an error; nil for an error that no page explains.
    static func status(of error: any Error) -> HTTPResponse.Status? {
        (error as? Refusal)?.status ?? (error as? any ReportableError)?.kind.status
    }

    private static func title(of error: any ReportableError) -> String {
        if let failure = error as? StoreFailure, failure.concernsOnePlace {
            return "The store is damaged"
        }
        if error.kind == .outOfRoom { return "The disk is full" }
        return error.kind.status.code < 500 ? "Nothing was changed" : "Not available"
    }
}
