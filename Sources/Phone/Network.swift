import Cryptography
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The phone's connections, with one HTTP/1.1 request each; the caller handles cookies and redirects.
struct Network: Sendable {
    let timeouts: SimulatedPhone.Timeouts
    /// Created once, because it loads all public authorities.
    private let strict: Result<NIOSSLContext, any Error>

    init(authorities: [Certificate], timeouts: SimulatedPhone.Timeouts) {
        self.timeouts = timeouts
        strict = Result {
            var configuration = Self.configuration(since: .tlsv12)
            configuration.additionalTrustRoots = [
                .certificates(
                    try authorities.map { try NIOSSLCertificate(bytes: $0.der, format: .der) }
                )
            ]
            return try NIOSSLContext(configuration: configuration)
        }
    }

    struct Request: Sendable {
        var method = HTTPMethod.GET
        let address: WebAddress
        /// Fields in addition to `Host`, including `User-Agent`.
        var fields: [(name: String, value: String)]
        /// Whether the server must be trusted; false only to find out what else is wrong.
        var verifies = true
        /// Sent with its length if it is not empty.
        var body: [UInt8] = []
    }

    /// Whether a reader wants more of the response.
    enum Appetite { case more, enough }

    /// Sends a request and passes the response to the closures in parts.
    ///
    /// - Returns: whether the response was read to its end; false when a closure stopped it.
    /// - Throws: ``NetworkFailure``.
    @discardableResult
    func exchange(
        _ request: Request,
        head: (HTTPResponseHead) throws -> Appetite,
        body: (ByteBuffer) throws -> Appetite,
    ) async throws(NetworkFailure) -> Bool {
        do {
            return try await connect(for: request).executeThenClose { answer, writer in
                // Written at once, because a fast server may respond and close the connection between two
                // writes.
                try await writer.write(contentsOf: self.parts(of: request))
                for try await part in answer {
                    switch part {
                    case .head(let fields):
                        guard try head(fields) == .more else { return false }
                    case .body(let bytes):
                        guard try body(bytes) == .more else { return false }
                    case .end:
                        return true
                    }
                }
                throw NetworkFailure.closedEarly
            }
        } catch {
            throw NetworkFailure(error)
        }
    }

    private typealias Channel = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private func connect(for request: Request) async throws -> Channel {
        let address = request.address
        let security =
            address.isSecure ? try context(request.verifies ? .strict : .blind) : nil
        let idle = timeouts.nanoseconds(timeouts.idle)
        return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(timeouts.nanoseconds(timeouts.connect))
            .connect(host: address.host, port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let security {
                        let handler = try NIOSSLClientHandler(
                            context: security,
                            serverHostname: address.isAddressLiteral ? nil : address.host,
                        )
                        try pipeline.addHandler(handler)
                    }
                    try pipeline.addHandler(IdleStateHandler(readTimeout: idle))
                    try pipeline.addHandler(SilenceHandler())
                    try pipeline.addHTTPClientHandlers()
                    return try Channel(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// How strictly a server is checked.
    enum Scrutiny {
        case strict
        /// A callback decides; old versions of TLS are also accepted.
        case lookingOnly
        case blind
    }

    func context(_ scrutiny: Scrutiny) throws -> NIOSSLContext {
        var configuration = Self.configuration(since: .tlsv1)
        configuration.trustRoots = .certificates([])
        switch scrutiny {
        case .strict: return try strict.get()
        case .lookingOnly: configuration.certificateVerification = .noHostnameVerification
        case .blind: configuration.certificateVerification = .none
        }
        return try NIOSSLContext(configuration: configuration)
    }

    private static func configuration(since oldest: TLSVersion) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = ["http/1.1"]
        configuration.minimumTLSVersion = oldest
        return configuration
    }

    private func parts(of request: Request) -> [HTTPClientRequestPart] {
        let head = HTTPClientRequestPart.head(head(of: request))
        guard !request.body.isEmpty else { return [head, .end(nil)] }
        return [head, .body(.byteBuffer(ByteBuffer(bytes: request.body))), .end(nil)]
    }

    private func head(of request: Request) -> HTTPRequestHead {
        var headers = HTTPHeaders()
        headers.add(name: "Host", value: request.address.authority)
        for field in request.fields { headers.add(name: field.name, value: field.value) }
        if !request.body.isEmpty {
            headers.add(name: "Content-Length", value: "\(request.body.count)")
        }
        headers.add(name: "Accept-Encoding", value: "identity")
        headers.add(name: "Connection", value: "close")
        return HTTPRequestHead(
            version: .http1_1,
            method: request.method,
            uri: request.address.target,
            headers: headers,
        )
    }
}

extension SimulatedPhone.Timeouts {
    func nanoseconds(_ seconds: Double) -> TimeAmount {
        .nanoseconds(Int64(min(max(seconds, 0), 86_400) * 1e9))
    }
}

/// Closes a connection on which no data arrives.
final class SilenceHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        context.fireErrorCaught(NetworkFailure.silent)
        context.close(promise: nil)
    }
}
