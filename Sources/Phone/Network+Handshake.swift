import Cryptography
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS

/// What a server presents in a TLS handshake.
struct Handshake: Sendable {
    /// In the order sent, the server's own first.
    let certificates: [Certificate]
    /// Such as `TLS 1.3`.
    let version: String
    let isModern: Bool
    let remoteAddress: String?
}

extension Network {
    /// Connects and completes the handshake without sending a request.
    ///
    /// - Parameters:
    ///   - address: an address on the server.
    ///   - verifies: whether to refuse untrusted servers; otherwise any certificates and old versions of
    ///     TLS are accepted, to report what is wrong with them.
    /// - Returns: what the server presented; without certificates if they were verified.
    /// - Throws: ``NetworkFailure`` when the connection fails or the server is not trusted.
    func handshake(
        with address: WebAddress,
        verifies: Bool,
    ) async throws(NetworkFailure) -> Handshake {
        do {
            let context = try context(verifies ? .strict : .lookingOnly)
            let host = address.isAddressLiteral ? nil : address.host
            let future = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(timeouts.nanoseconds(timeouts.connect))
                .connect(host: address.host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let shaken = channel.eventLoop.makePromise(of: Handshake.self)
                        let witness = HandshakeWitness(promise: shaken)
                        let security = try witness.security(
                            context,
                            host: host,
                            verifies: verifies,
                        )
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(security)
                        try pipeline.addHandler(
                            IdleStateHandler(readTimeout: timeouts.nanoseconds(timeouts.connect))
                        )
                        try pipeline.addHandler(SilenceHandler())
                        try pipeline.addHandler(witness)
                        return shaken.futureResult
                    }
                }
            return try await future.get()
        } catch {
            throw NetworkFailure(error)
        }
    }
}

/// Waits for a handshake, records what was presented and closes the connection.
private final class HandshakeWitness: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var promise: EventLoopPromise<Handshake>?
    private var shown: [NIOSSLCertificate] = []

    init(promise: EventLoopPromise<Handshake>) {
        self.promise = promise
    }

    func security(
        _ context: NIOSSLContext,
        host: String?,
        verifies: Bool,
    ) throws -> NIOSSLClientHandler {
        guard !verifies else {
            return try NIOSSLClientHandler(context: context, serverHostname: host)
        }
        return try NIOSSLClientHandler(
            context: context,
            serverHostname: host,
            customVerificationCallback: { certificates, verdict in
                self.shown = certificates
                verdict.succeed(.certificateVerified)
            },
        )
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent {
            let version = try? context.pipeline.syncOperations.nioSSL_tlsVersion()
            let certificates = shown.compactMap { certificate -> Certificate? in
                guard let der = try? certificate.toDERBytes() else { return nil }
                return try? Certificate(der: der)
            }
            promise?.succeed(
                Handshake(
                    certificates: certificates,
                    version: version,
                    remoteAddress: context.channel.remoteAddress?.ipAddress,
                )
            )
            promise = nil
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(NetworkFailure.closedEarly)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(NetworkFailure.closedEarly)
    }

    private func end(_ error: any Error) {
        promise?.fail(error)
        promise = nil
    }
}

extension Handshake {
    fileprivate init(certificates: [Certificate], version: TLSVersion?, remoteAddress: String?) {
        self.certificates = certificates
        self.remoteAddress = remoteAddress
        switch version {
        case .tlsv13: (self.version, isModern) = ("TLS 1.3", true)
        case .tlsv12: (self.version, isModern) = ("TLS 1.2", true)
        case .tlsv11: (self.version, isModern) = ("TLS 1.1", false)
        default: (self.version, isModern) = ("TLS 1.0", false)
        }
    }
}
