import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Store

/// What operators' tools look at.
struct OperationRoutes: Sendable {
    let site: Site

    /// `GET /healthz`: the process answers.
    @Sendable func health(_ request: Request, _ context: RouteContext) async throws -> Response {
        text("ok\n")
    }

    /// `GET /readyz`: the store can be read, so installs work.
    @Sendable func readiness(_ request: Request, _ context: RouteContext) async throws -> Response {
        let store = site.store
        do {
            _ = try await site.work { try store.settings() }
            return text("ready\n")
        } catch {
            site.logger.error("not ready", metadata: ["reason": "\(error)"])
            return text("the store cannot be read\n", status: .serviceUnavailable)
        }
    }

    /// `GET /metrics`, for a collector on this machine; everybody else finds nothing here.
    @Sendable func metrics(_ request: Request, _ context: RouteContext) async throws -> Response {
        let peer = context.channel.remoteAddress?.ipAddress ?? ""
        let isLocal = ["127.0.0.1", "::1"].contains(peer)
        let isForwarded = request.headers.contains(.forwardedFor)
        guard isLocal, !isForwarded else { throw Refusal.notFound }
        return text(site.metrics.text(), type: "text/plain; version=0.0.4; charset=utf-8")
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
