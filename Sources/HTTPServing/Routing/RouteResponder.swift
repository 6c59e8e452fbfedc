import HTTPTypes
package import Hummingbird
package import HummingbirdCore
package import Logging
package import NIOCore
package import NIOHTTP1
import Synchronization

/// Where requests that no memory answers are answered by routes, and entered in the access log.
package final class RouteResponder: Sendable {
    /// Where a request came in.
    package struct Origin: Sendable {
        let channel: any Channel
        let isSecure: Bool
        let answers: ResponseCache
        let accessLog: AccessLog
        let proxies: Set<String>

        /// - Parameters:
        ///   - channel: of the connection.
        ///   - isSecure: whether the connection uses TLS.
        ///   - answers: what is answered from memory.
        ///   - accessLog: where the request is entered.
        ///   - proxies: addresses whose word about the client's address is believed.
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
    /// Where routes run that may wait; nil for the thread of the connection.
    private let waiting: WaitingExecutor?

    /// - Parameter waiting: where routes run that may wait; nil for the thread of the connection, which
    ///   then never waits for longer than a disk of this machine takes.
    package init(waiting: WaitingExecutor? = nil) {
        self.waiting = waiting
    }

    /// The routes of one port, and what bodies they take.
    package typealias Routes = (responder: RouterResponder<RouteContext>, bodies: BodyRules)

    /// Answers with these routes from now on; until then every request gets 503 with `Retry-After`.
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

    /// What happens to a request's body before its route is asked; nothing bounds one that no route
    /// reads yet.
    package func bodyPolicy(for head: HTTPRequestHead, isSecure: Bool) -> BodyPolicy {
        guard let responders = responders.withLock({ $0 }) else {
            return BodyPolicy(limit: nil, isTaken: false)
        }
        return (isSecure ? responders.secureBodies : responders.plainBodies).policy(for: head)
    }

    /// Answers a request with the routes of the port that it came in on.
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
        // Whoever asks next is not shown what was kept before the refusal.
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
            // What an admin has changed holds with the answer that says so.
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
            guard let waiting else {
                return try await responder.respond(to: request, context: context)
            }
            return try await withTaskExecutorPreference(waiting) {
                try await responder.respond(to: request, context: context)
            }
        } catch let error where BrokenOff.isCause(error) {
            throw error
        } catch {
            context.logger.error("a request failed", metadata: ["reason": "\(error)"])
            return Response(status: .internalServerError)
        }
    }
}
