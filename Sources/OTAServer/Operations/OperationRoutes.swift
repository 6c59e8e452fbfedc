import Access
import HTTPServing
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Notices
import Releases
import SiteServices
import Store

/// The routes for operators' tools.
struct OperationRoutes: Sendable {
    let site: Site
    let health: StoreHealth
    let certificateHealth: CertificateHealth
    let metrics: Metrics
    let readiness: Readiness

    var table: RouteTable {
        [
            Route("/healthz", [.get: answerHealth]), Route("/readyz", [.get: answerReadiness]),
            Route("/metrics", [.get: answerMetrics]),
        ]
    }

    /// Answers `GET /healthz`: the process is running.
    @Sendable func answerHealth(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        text("ok\n")
    }

    /// Answers `GET /readyz`: the store can be read, so installs work, and the server is not stopping.
    @Sendable func answerReadiness(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let store = site.store
        if let obstacle = readiness.obstacle {
            return text(obstacle + "\n", status: .serviceUnavailable)
        }
        // A missing or expired certificate must not stop a load balancer from sending requests here.
        let further = (readiness.duties.words.map { $0 + "\n" } ?? "") + certificateHealth.line
        do {
            try await site.work {
                _ = try store.settings()
                // If the list of apps cannot be read, no page can be made, even if everything else is
                // intact.
                _ = try store.appListing()
            }
            let problems = health.problems.count
            // Damage affects only what needs the damaged item, so the server stays in use.
            return text(
                (problems == 0
                    ? "ready\n"
                    : "ready, but \(Wording.count(problems, "item")) in the store "
                        + (problems == 1 ? "is" : "are")
                        + " damaged or missing: run ota store verify\n") + further
            )
        } catch {
            site.logger.error("not ready", metadata: ["reason": "\(error)"])
            return text("the store cannot be read\n", status: .serviceUnavailable)
        }
    }

    /// Answers `GET /metrics` for a collector with a token of scope `read`.
    ///
    /// The source address of a request proves nothing: a proxy on the same machine forwards requests from
    /// strangers.
    @Sendable func answerMetrics(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let principal = try await SignIn(site: site).bearer(request, context)
        try SignIn.require(principal, .read)
        let store = site.store
        // Damage is counted in the store's metrics; the others stay readable.
        let outbox = try await site.work { try store.unlessDamaged { try store.notices().outbox } }
        return text(
            metrics.text() + health.metrics + certificateHealth.metrics + (outbox?.metrics ?? ""),
            type: "text/plain; version=0.0.4; charset=utf-8",
        )
    }

    private func text(
        _ text: String,
        type: String = "text/plain; charset=utf-8",
        status: HTTPResponse.Status = .ok,
    ) -> Response {
        Response(
            status: status,
            headers: ResponseFields.of(type: type, cache: "no-store"),
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)),
        )
    }
}
