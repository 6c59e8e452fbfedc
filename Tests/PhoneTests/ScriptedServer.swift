import Cryptography
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

struct ScriptedRequest: Sendable {
    let method: HTTPMethod
    let path: String
    let headers: HTTPHeaders
    /// The scheme, host and port that the phone used.
    let base: String
}

struct ScriptedReply: Sendable {
    var status = HTTPResponseStatus.ok
    var headers: [(String, String)] = []
    var body: [UInt8] = []
    /// The value of Content-Length; nil for the correct one, negative for none.
    var length: Int?
    /// Closes the connection after this many bytes of the body; nil for never.
    var hangUp: Int?
    /// Whether the server sends no response at all.
    var isSilent = false

    static func text(_ text: String, type: String = "text/html") -> ScriptedReply {
        ScriptedReply(headers: [("Content-Type", type)], body: Array(text.utf8))
    }

    static func redirect(to place: String) -> ScriptedReply {
        ScriptedReply(status: .found, headers: [("Location", place)])
    }
}

/// A server on loopback that responds by a closure.
final class ScriptedServer: Sendable {
    typealias Script = @Sendable (ScriptedRequest) -> ScriptedReply

    let requests = Mutex<[ScriptedRequest]>([])
    private let script: Script
    private let isSecure: Bool

    private init(isSecure: Bool, script: @escaping Script) {
        self.isSecure = isSecure
        self.script = script
    }

    struct Security: Sendable {
        var identity: SigningIdentity
        /// The certificates that the server sends; nil for the identity's own chain.
        var sends: [Certificate]?
        var newest: TLSVersion?
    }

    /// Runs a server while `body` runs; without `security`, over plain HTTP.
    static func running<Result>(
        _ security: Security?,
        script: @escaping Script,
        _ body: (ScriptedServer, Int) async throws -> Result,
    ) async throws -> Result {
        let server = ScriptedServer(isSecure: security != nil, script: script)
        let context = try security.map { try NIOSSLContext(configuration: configuration($0)) }
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context {
                        try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(ScriptHandler(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let result = try await body(server, channel.localAddress?.port ?? 0)
            try await channel.close()
            return result
        } catch {
            try? await channel.close()
            throw error
        }
    }

    private static func configuration(_ security: Security) throws -> TLSConfiguration {
        let identity = security.identity
        let chain = security.sends ?? [identity.certificate] + identity.chain
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try chain.map {
                .certificate(try NIOSSLCertificate(bytes: $0.der, format: .der))
            },
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(identity.key.pem.utf8), format: .pem)
            ),
        )
        configuration.minimumTLSVersion = .tlsv1
        configuration.maximumTLSVersion = security.newest
        return configuration
    }

    func reply(to head: HTTPRequestHead) -> ScriptedReply {
        let host = head.headers.first(name: "Host") ?? ""
        let request = ScriptedRequest(
            method: head.method,
            path: head.uri,
            headers: head.headers,
            base: (isSecure ? "https://" : "http://") + host,
        )
        requests.withLock { $0.append(request) }
        return script(request)
    }
}

private final class ScriptHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: ScriptedServer
    private var head: HTTPRequestHead?

    init(_ server: ScriptedServer) {
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            send(server.reply(to: head), isHead: head.method == .HEAD, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func send(_ reply: ScriptedReply, isHead: Bool, _ context: ChannelHandlerContext) {
        guard !reply.isSilent else { return }
        var headers = HTTPHeaders(reply.headers)
        let length = reply.length ?? reply.body.count
        if length >= 0 { headers.add(name: "Content-Length", value: "\(length)") }
        headers.add(name: "Connection", value: "close")
        let head = HTTPResponseHead(version: .http1_1, status: reply.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let body = reply.body.prefix(reply.hangUp ?? .max)
        if !isHead, !body.isEmpty {
            let buffer = context.channel.allocator.buffer(bytes: body)
            context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
        }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let close: @Sendable (Result<Void, any Error>) -> Void = { _ in
            bound.value.close(promise: nil)
        }
        guard reply.hangUp == nil else {
            let flushed = context.eventLoop.makePromise(of: Void.self)
            flushed.futureResult.whenComplete(close)
            let nothing = context.channel.allocator.buffer(capacity: 0)
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(nothing))), promise: flushed)
            return
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete(close)
    }
}
