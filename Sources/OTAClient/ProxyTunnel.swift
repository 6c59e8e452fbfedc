import Cryptography
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSSL
import Releases

/// A tunnel to a server through a proxy, opened with `CONNECT` (RFC 9110, section 9.3.6).
///
/// The proxy sees the server's host and port and the amount of data; the contents are protected by TLS
/// between this machine and the server.
struct ProxyTunnel: Sendable {
    let proxy: ProxyServer
    let server: BaseURL
    /// Certificate authorities for the proxy's certificate, in addition to those that this machine trusts.
    let authorities: [Certificate]
    /// The time limit for connecting to the proxy, and for its connection to the server.
    var patience = ServerConnection.connectTime * 2

    init(through proxy: ProxyServer, to server: BaseURL, trusting trust: ServerTrust) {
        self.proxy = proxy
        self.server = server
        if case .authorities(let named) = trust { authorities = named } else { authorities = [] }
    }

    /// Connects to the server, and then passes the channel to `furnish`.
    ///
    /// - Throws: ``ServerFailure`` about the proxy if it does not connect, and what `furnish` throws.
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

    /// Sends `CONNECT` as soon as the proxy is connected.
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
            // The next handlers write bytes, so no HTTP handler may be left in the pipeline.
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

    /// Translates an error that occurred before the server was connected.
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

/// Records the proxy's response, which the library does not expose.
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
    /// The authority for `CONNECT` and the `Host` field.
    var hostAndPort: String { "\(host):\(port ?? 443)" }
}
