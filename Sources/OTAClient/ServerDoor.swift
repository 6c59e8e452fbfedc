import Cryptography
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS
import Releases

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Makes connections to one server.
struct ServerDoor: Sendable {
    typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// How a connection is secured.
    struct Security: Sendable {
        let context: NIOSSLContext
        /// The only certificate that is taken, where one was named.
        let pin: SHA256Digest?
        /// What the certificate must be for, where nobody but us can look.
        let address: AlternativeName?
    }

    let url: BaseURL
    /// The way there, where it is no direct one.
    let tunnel: ProxyTunnel?

    /// The name without an IPv6 address's brackets.
    private var host: String {
        url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
    }

    func security(for trust: ServerTrust) async throws -> Security {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        let address = addressInTunnel
        if address != nil { configuration.certificateVerification = .noHostnameVerification }
        switch trust {
        case .system: break
        case .authorities(let authorities):
            configuration.trustRoots = .certificates(try authorities.map(Self.certificate))
        case .fingerprint(let digest):
            // A certificate above the server's own is one more step: the server must be under it.
            let shown = try await shownCertificates()
            guard let match = shown.firstIndex(where: { $0.sha256 == digest }) else {
                let own = shown.first.map { "\($0.sha256)" } ?? "none"
                throw ServerFailure.untrusted(
                    url,
                    reason: "the SHA-256 of its certificate is \(own)",
                )
            }
            guard match > 0 else {
                // Named itself, it may be for whatever name it likes.
                configuration.certificateVerification = .noHostnameVerification
                return Security(
                    context: try NIOSSLContext(configuration: configuration),
                    pin: digest,
                    address: nil,
                )
            }
            configuration.trustRoots = .certificates([try Self.certificate(shown[match])])
        }
        return Security(
            context: try NIOSSLContext(configuration: configuration),
            pin: nil,
            address: address,
        )
    }

    func connect(_ security: Security) async throws -> Connection {
        try await open { channel in
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(handler(security))
            try pipeline.addHandler(IdleStateHandler(allTimeout: ServerConnection.silence))
            try pipeline.addHandler(SilenceIsFailure())
            try pipeline.addHTTPClientHandlers()
            return try Connection(wrappingChannelSynchronously: channel)
        }
    }

    /// Connects to the server, and lets `furnish` go on from there.
    private func open<Furnished: Sendable>(
        _ furnish: @escaping @Sendable (any Channel) throws -> Furnished
    ) async throws -> Furnished {
        if let tunnel { return try await tunnel.open(with: bootstrap, furnish) }
        return try await bootstrap.connect(host: host, port: url.port ?? 443) { channel in
            channel.eventLoop.makeCompletedFuture { try furnish(channel) }
        }
    }

    private var bootstrap: ClientBootstrap {
        ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(ServerConnection.connectTime)
            // What waits in the kernel when a connection ends has been read in vain: no more of it
            // than the network is taking.
            .channelOption(.tcpOption(.init(rawValue: Self.notSentLowWater)), value: 128 << 10)
    }

    #if canImport(Darwin)
    private static let notSentLowWater = TCP_NOTSENT_LOWAT
    #else
    /// `TCP_NOTSENT_LOWAT` of `linux/tcp.h`.
    private static let notSentLowWater: CInt = 25
    #endif

    /// Host names only; an address literal must not be sent (RFC 6066 3).
    private var serverName: String? {
        let isLiteral = url.host.hasPrefix("[") || url.host.allSatisfy { $0.isNumber || $0 == "." }
        return isLiteral ? nil : url.host
    }

    /// An address that is reached by a proxy: the library would look for the proxy's in the certificate.
    private var addressInTunnel: AlternativeName? {
        tunnel == nil || serverName != nil ? nil : AlternativeName(host)
    }

    private func handler(_ security: Security) throws -> NIOSSLClientHandler {
        if let address = security.address {
            // The one way to judge a verified certificate before anything is written.
            return try NIOSSLClientHandler._makeSSLClientHandler(
                context: security.context,
                serverHostname: nil,
            ) { [url] certificate, channel in
                channel.eventLoop.makeCompletedFuture {
                    let shown = try? Certificate(der: certificate.toDERBytes())
                    guard shown?.hosts.contains(address) == true else {
                        throw ServerFailure.misnamed(url, names: shown?.hosts ?? [])
                    }
                }
            }
        }
        guard let pin = security.pin else {
            return try NIOSSLClientHandler(context: security.context, serverHostname: serverName)
        }
        return try NIOSSLClientHandler(
            context: security.context,
            serverHostname: serverName,
            customVerificationCallback: { chain, verdict in
                let der = try? chain.first?.toDERBytes()
                let isRight = der.map { SHA256Digest(of: $0) == pin } ?? false
                verdict.succeed(isRight ? .certificateVerified : .failed)
            },
        )
    }

    /// The names that the server's certificate has, for whoever is told that it has another.
    ///
    /// The library keeps them to itself, so this looks once more; what is shown then is a stranger's
    /// word.
    func shownNames() async -> [AlternativeName] {
        (try? await shownCertificates())?.first?.hosts ?? []
    }

    /// What the server shows to whoever connects; nothing is sent to it.
    private func shownCertificates() async throws -> [Certificate] {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        let context = try NIOSSLContext(configuration: configuration)
        let name = serverName
        do {
            let shown = try await open { channel in
                let witness = ChainWitness(promise: channel.eventLoop.makePromise())
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(witness.handler(context, name))
                try pipeline.addHandler(
                    IdleStateHandler(readTimeout: ServerConnection.connectTime)
                )
                try pipeline.addHandler(SilenceIsFailure())
                try pipeline.addHandler(witness)
                return witness.chain
            }
            return try await shown.get().compactMap { try? Certificate(der: $0) }
        } catch {
            throw ServerFailure(error, from: url)
        }
    }

    private static func certificate(_ certificate: Certificate) throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: certificate.der, format: .der)
    }
}

/// Takes whatever certificates are shown, and ends the connection.
private final class ChainWitness: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    let chain: EventLoopFuture<[[UInt8]]>
    private var promise: EventLoopPromise<[[UInt8]]>?

    init(promise: EventLoopPromise<[[UInt8]]>) {
        self.promise = promise
        chain = promise.futureResult
    }

    func handler(_ context: NIOSSLContext, _ name: String?) throws -> NIOSSLClientHandler {
        let promise = promise
        return try NIOSSLClientHandler(
            context: context,
            serverHostname: name,
            customVerificationCallback: { certificates, verdict in
                promise?.succeed(certificates.compactMap { try? $0.toDERBytes() })
                verdict.succeed(.failed)
            },
        )
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise?.fail(error)
        promise = nil
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise?.fail(ChannelError.eof)
        promise = nil
        context.fireChannelInactive()
    }

    /// There never was a connection.
    func handlerRemoved(context: ChannelHandlerContext) {
        promise?.fail(ChannelError.eof)
        promise = nil
    }
}

/// A server that says nothing for too long has failed.
final class SilenceIsFailure: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    struct Silence: Error {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        context.fireErrorCaught(Silence())
        context.close(promise: nil)
    }
}
