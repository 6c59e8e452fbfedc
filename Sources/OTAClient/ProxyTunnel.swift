import Cryptography
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSSL
import Releases

/// A tunnel to a server through a proxy, made with `CONNECT` (RFC 9110 9.3.6).
///
/// The proxy sees the server's host and port and how much goes there; what is said is between this
/// machine and the server, over their own TLS.
struct ProxyTunnel: Sendable {
    let proxy: ProxyServer
    let server: BaseURL
    /// Authorities that may have issued the proxy's certificate, besides those of this machine.
    let authorities: [Certificate]
    /// How long the proxy may take to be connected to, and to connect.
    var patience = ServerConnection.connectTime * 2

    init(through proxy: ProxyServer, to server: BaseURL, trusting trust: ServerTrust) {
        self.proxy = proxy
        self.server = server
        if case .authorities(let named) = trust { authorities = named } else { authorities = [] }
    }

    /// Connects to the server, and lets `furnish` continue from there.
    ///
    /// - Throws: ``ServerFailure`` of the proxy when there is no way, and what `furnish` throws.
    func open<Furnished: Sendable>(
        with bootstrap: sending ClientBootstrap,
        _ furnish: @escaping @Sendable (any Channel) throws -> Furnished,
    ) async throws -> Furnished {
        let security = try proxy.isSecure ? security() : nil
        let furnished: EventLoopFuture<Furnished>
        do {
            furnished = try await bootstrap.connect(host: proxy.host, port: proxy.port) { channel in
                channel.eventLoop.makeCompletedFuture { try ask(channel, security, furnish) }
            }
        } catch {
            throw failure(error)
        }
        return try await furnished.get()
    }

    private func security() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        configuration.additionalTrustRoots = [
            .certificates(
                try authorities.map { try NIOSSLCertificate(bytes: $0.der, format: .der) }
            )
        ]
        return try NIOSSLContext(configuration: configuration)
    }

    /// Asks the proxy as soon as there is a connection to it.
    private func ask<Furnished: Sendable>(
        _ channel: any Channel,
        _ security: NIOSSLContext?,
        _ furnish: @escaping (any Channel) throws -> Furnished,
    ) throws -> EventLoopFuture<Furnished> {
        let pipeline = channel.pipeline.syncOperations
        if let security {
            try pipeline.addHandler(
                NIOSSLClientHandler(context: security, serverHostname: proxy.serverName)
            )
        }
        let encoder = HTTPRequestEncoder()
        let decoder = ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes))
        let answer = ProxyAnswer()
        let isOpen = channel.eventLoop.makePromise(of: Void.self)
        let request = NIOHTTP1ProxyConnectHandler(
            targetHost: server.host,
            targetPort: server.port ?? 443,
            headers: fields,
            deadline: .now() + patience,
            promise: isOpen,
        )
        try pipeline.addHandlers([encoder, decoder, answer, request])
        return isOpen.futureResult.assumeIsolated()
            // The next handlers write bytes, so no handler for HTTP may be left in the pipeline.
            .flatMap { pipeline.removeHandler(answer) }
            .flatMap { pipeline.removeHandler(decoder) }
            .flatMap { pipeline.removeHandler(encoder) }
            .flatMapErrorThrowing { throw failure($0, answer) }
            .flatMapThrowing {
                do {
                    guard channel.isActive else { throw ServerFailure.cut(server) }
                    return try furnish(channel)
                } catch {
                    channel.close(promise: nil)
                    throw error
                }
            }
            .nonisolated()
    }

    private var fields: HTTPHeaders {
        var fields: HTTPHeaders = ["host": server.hostAndPort, "user-agent": "ota"]
        if let credentials = proxy.credentials {
            fields.add(name: "proxy-authorization", value: "Basic \(credentials)")
        }
        return fields
    }

    private func failure(_ error: any Error, _ answer: ProxyAnswer) -> ServerFailure {
        if let status = answer.status, !(200..<300).contains(status) {
            return .proxy(.refused(proxy, status: status, server))
        }
        return failure(answer.error ?? error)
    }

    /// What went wrong before there was a way to the server.
    private func failure(_ error: any Error) -> ServerFailure {
        switch error {
        case HTTPParserError.invalidEOFState: .proxy(.cut(proxy, server))
        case is HTTPParserError, is NIOHTTPDecoderError: .proxy(.notUnderstood(proxy))
        case let error as NIOHTTP1ProxyConnectHandler.Error:
            error == .httpProxyHandshakeTimeout()
                ? .proxy(.tooSlow(proxy, server)) : .proxy(.cut(proxy, server))
        default:
            switch ServerFailure(error, from: server) {
            case .unreachable(_, let reason): .proxy(.unreachable(proxy, reason: reason))
            case .untrusted(_, let reason): .proxy(.untrusted(proxy, reason: reason))
            case .misnamed(_, let names):
                .proxy(
                    .untrusted(proxy, reason: ServerFailure.otherName(than: proxy.host, names))
                )
            case .tooSlow: .proxy(.tooSlow(proxy, server))
            case .cut: .proxy(.cut(proxy, server))
            case let other: other
            }
        }
    }
}

/// Notes what the proxy answers, which the library keeps to itself.
private final class ProxyAnswer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart

    private(set) var status: Int?
    private(set) var error: (any Error)?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { status = Int(head.status.code) }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.error = self.error ?? error
        context.close(promise: nil)
    }
}

extension BaseURL {
    /// As `CONNECT` and the `Host` field have it.
    var hostAndPort: String { "\(host):\(port ?? 443)" }
}
