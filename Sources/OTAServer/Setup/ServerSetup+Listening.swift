import API
import HTTPServing
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import Pages
import Problems
import Releases
import ServiceLifecycle
import SiteServices

/// The server's ports.
extension ServerSetup {
    /// The HTTP server of one port.
    func listener(on port: Int, secure: Bool, _ bindings: PortBindings) -> any Service {
        let pages = pages
        let responder = bindings.responder
        let accessLog = accessLog
        let proxies = configuration.trustedProxies
        let logger = logger
        let answers = secure ? answers : ResponseCache(.pages)
        let connection = PinnedConnection(
            shared: ConnectionContext(
                limits: configuration.limits,
                hosts: certificate.hosts,
                answers: answers,
                accessLog: accessLog,
                proxies: proxies,
                shares: ConnectionShares(
                    limit: configuration.limits.connectionsOfOneNetwork,
                    exempt: proxies,
                ),
                bodies: { responder.bodyPolicy(for: $0, isSecure: secure) },
                refusals: { reason, target in
                    if pages.isAPI(target) {
                        return CachedResponse(apiRefusal: reason)
                    }
                    return pages.answer(
                        status: .init(code: Int(reason.status.code)),
                        title: "Request refused",
                        message: PageProblem(reason.problem).text,
                        problem: reason.id,
                        route: "refused",
                    )
                },
            ),
            certificate: secure ? certificate.current : nil,
            executors: executors,
            responder: { request, writer, channel in
                try await responder.answer(
                    request,
                    writer,
                    RouteResponder.Origin(
                        channel: channel,
                        isSecure: secure,
                        answers: answers,
                        accessLog: accessLog,
                        proxies: proxies,
                    ),
                    logger,
                )
            },
        )
        let server = connection.server(
            configuration: HummingbirdCore.ServerConfiguration(
                address: .hostname(configuration.host, port: port),
                backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    configuration.limits.connections
                ),
            ),
            onServerRunning: { channel in
                // What begins with the last port may block on the disk.
                await withTaskExecutorPreference(globalConcurrentExecutor) {
                    await bindings.bound(channel.localAddress?.port ?? port, secure: secure)
                }
            },
            eventLoopGroup: group,
            logger: logger,
        )
        return Listener(
            host: configuration.host,
            port: port,
            server: server,
            on: executors.first,
        ) { $0.fix }
    }
}
