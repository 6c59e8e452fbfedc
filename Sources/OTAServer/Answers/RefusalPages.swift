import Pages
import API
import HTTPServing
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Problems
import Releases
import SiteServices
import Store

/// Turns an error that a route throws into an error page, or JSON.
struct RefusalPages: RouterMiddleware {
    let pages: SitePages
    let logger: Logger

    func handle(
        _ request: Request,
        context: RouteContext,
        next: @concurrent (Request, RouteContext) async throws -> Response,
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let refusal = refusal(for: error)
            var response = response(to: request, refusal)
            if case .methodNotAllowed(let methods) = refusal {
                response.headers[.allow] = methods.map(\.rawValue).joined(separator: ", ")
            }
            response.headers[.retryAfter] = refusal.kind.retryAfter.map { "\($0)" }
            switch refusal {
            case .tooManyGuesses(let wait): response.headers[.retryAfter] = "\(wait)"
            case .notSignedIn: response.headers[.wwwAuthenticate] = "Bearer realm=\"ota\""
            default: break
            }
            return response
        }
    }

    private func refusal(for error: any Error) -> Refusal {
        switch error {
        case let refusal as Refusal:
            return refusal
        case RefusedCapability.notOurs:
            return .notFound
        case RefusedCapability.expired:
            return .expiredInstall
        case let error as HTTPError where error.status == .notFound:
            return .notFound
        case let failure as StoreFailure where failure.kind == .outOfRoom:
            logger.error("the disk is full", metadata: ["reason": "\(failure)"])
            return .noRoom(failure.fix)
        case _ where BrokenOff.isCause(error):
            return .cut
        default:
            logger.error("a request failed", metadata: ["reason": "\(error)"])
            return .unavailable("\(error)")
        }
    }

    private func response(to request: Request, _ refusal: Refusal) -> Response {
        if pages.isAPI(request.uri.path) { return refusal.apiResponse() }
        let chrome = pages.chrome(for: request)
        let (title, message) = refusal.page(in: chrome.words)
        return pages.answer(
            status: refusal.status,
            title: title,
            message: message,
            problem: refusal.id,
            chrome: chrome,
            route: "refusal",
        ).response(to: request)
    }
}
