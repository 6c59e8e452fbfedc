import HTTPTypes
package import Hummingbird
package import HummingbirdCore
package import Logging
package import NIOCore
package import NIOHTTP1
import Synchronization

/// Answers requests that the cache cannot answer with routes, and enters them in the access log.
package final class RouteResponder: Sendable {
    /// The connection that a request arrived on.
    package struct Origin: Sendable {
        let channel: any Channel
        let isSecure: Bool
        let answers: ResponseCache
        let accessLog: AccessLog
        let proxies: Set<String>

        /// - Parameters:
        ///   - channel: the connection's channel.
        ///   - isSecure: whether the connection uses TLS.
        ///   - answers: the cached responses.
        ///   - accessLog: the log that the request is entered in.
        ///   - proxies: addresses of the proxies trusted to name the client's address.
        package init(
            channel: any Channel,
            isSecure: Bool,
            answers: ResponseCache,
            accessLog: AccessLog,
            proxies: Set<String>,
        ) {
            self.channel = channel
            self.isSecure = isSecure
            self.answers = answers
            self.accessLog = accessLog
            self.proxies = proxies
        }
    }

    private struct Responders {
        let secure: RouterResponder<RouteContext>
        let plain: RouterResponder<RouteContext>
        let secureBodies: BodyRules
        let plainBodies: BodyRules
    }

    private let responders = Mutex<Responders?>(nil)
    /// The executor of routes that may block; nil for the thread of the connection.
    private let waiting: WaitingExecutor?

    /// - Parameter waiting: the executor of routes that may block; nil for the thread of the connection,
    ///   where routes then never block for longer than a local disk takes.
    package init(waiting: WaitingExecutor? = nil) {
        self.waiting = waiting
    }

    /// The routes of one port, and the bodies that they accept.
    package typealias Routes = (responder: RouterResponder<RouteContext>, bodies: BodyRules)

    /// Answers with these routes from now on; before, every request gets 503 with `Retry-After`.
    package func open(secure: Routes, plain: Routes) {
        responders.withLock {
            $0 = Responders(
                secure: secure.responder,
                plain: plain.responder,
                secureBodies: secure.bodies,
                plainBodies: plain.bodies,
            )
        }
    }

    /// Returns the policy for a request's body, before its route handles the request.
    ///
    /// Before the routes are set up, bodies have no limit, because nothing reads them.
    package func bodyPolicy(for head: HTTPRequestHead, isSecure: Bool) -> BodyPolicy {
        guard let responders = responders.withLock({ $0 }) else {
            return BodyPolicy(limit: nil, isTaken: false)
        }
        return (isSecure ? responders.secureBodies : responders.plainBodies).policy(for: head)
    }

    /// Answers a request with the routes of the port that it arrived on.
    @concurrent
    package func answer(
        _ request: Request,
        _ writer: consuming ResponseWriter,
        _ origin: Origin,
        _ logger: Logger,
    ) async throws {
        let began = ContinuousClock.now
        let context = RouteContext(
            source: ApplicationRequestContextSource(channel: origin.channel, logger: logger)
        )
        let response = try await response(to: request, origin, context)
        let status = response.status.code
        let declared = response.body.contentLength ?? 0
        // The cached response is outdated by this refusal, and must not answer the next request.
        if status >= 400, request.method == .get {
            origin.answers.forget(
                request.head.path ?? "",
                agent: request.headers[.userAgent] ?? "",
                languages: request.headers[values: .acceptLanguage].joined(separator: ","),
                cookies: request.headers[values: .cookie],
            )
        }
        if status < 400, ![.get, .head, .options].contains(request.method),
            let path = request.head.path
        {
            // A change by an admin is visible by the time its response is sent.
            origin.answers.forget(changedBy: path)
        }
        var body = response.body
        if body.contentLength == nil {
            let transfer = context.transfer
            body = body.map { bytes in
                transfer.add(bytes.readableBytes)
                return bytes
            }
        }
        var failure: (any Error)?
        do {
            try await writer.write(response: response.head, body: body)
        } catch {
            failure = error
        }
        let sent = context.transfer.bytes
        origin.accessLog.enter(
            Exchange(
                method: request.method.rawValue,
                target: request.head.path ?? "",
                status: status,
                bytes: sent > 0 ? sent : (request.method == .head ? 0 : declared),
                client: ClientAddress.of(
                    peer: origin.channel.remoteAddress?.ipAddress ?? "",
                    forwardedFor: request.headers[.forwardedFor],
                    proxies: origin.proxies,
                ),
                agent: request.headers[.userAgent] ?? "",
                route: context.endpointPath ?? "unknown",
                duration: ContinuousClock.now - began,
                note: failure.map { _ in "cut" },
            )
        )
        if let failure { throw failure is HTTPParserError ? CancellationError() : failure }
    }

    private func response(
        to request: Request,
        _ origin: Origin,
        _ context: RouteContext,
    ) async throws -> Response {
        guard let responders = responders.withLock({ $0 }) else {
            return Response(status: .serviceUnavailable, headers: [.retryAfter: "1"])
        }
        let responder = origin.isSecure ? responders.secure : responders.plain
        do {
            // In a task of its own, whose memory is freed with it: the connection's task keeps the memory of
            // its deepest call for as long as the connection lives.
            async let response = withTaskExecutorPreference(waiting) {
                try await responder.respond(to: request, context: context)
            }
            return try await response
        } catch let error where BrokenOff.isCause(error) {
            throw error
        } catch {
            context.logger.error("a request failed", metadata: ["reason": "\(error)"])
            return Response(status: .internalServerError)
        }
    }
}
