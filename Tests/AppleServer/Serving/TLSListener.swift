import Cryptography
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An HTTP/1.1 server over TLS on the loopback address.
enum TLSListener {
    /// Listens until the process ends; first reports its port.
    static func run(
        as identity: SigningIdentity,
        answering accounts: AppleAccounts,
        listening: (Int) throws -> Void,
    ) async throws {
        let chain = [identity.certificate] + identity.chain
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try chain.map {
                .certificate(try NIOSSLCertificate(bytes: $0.der, format: .der))
            },
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(identity.key.pem.utf8), format: .pem)
            ),
        )
        tls.minimumTLSVersion = .tlsv12
        let context = try NIOSSLContext(configuration: tls)
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(RequestHandler(accounts))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        try listening(channel.localAddress?.port ?? 0)
        try await channel.closeFuture.get()
    }
}

private final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The largest accepted body, in bytes.
    private static let longestBody = 1 << 20

    private let accounts: AppleAccounts
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ accounts: AppleAccounts) {
        self.accounts = accounts
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let piece):
            body += piece.readableBytesView
            if body.count > Self.longestBody { context.close(promise: nil) }
        case .end:
            guard let head else { return }
            self.head = nil
            answer(head, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let request = ReceivedRequest(
            method: head.method.rawValue,
            target: head.uri,
            authorization: head.headers.first(name: "Authorization"),
            body: body,
        )
        let origin = "https://" + (head.headers.first(name: "Host") ?? "")
        let answer = accounts.answer(to: request, origin: origin)
        guard !answer.isCut else {
            context.close(promise: nil)
            return
        }
        guard answer.delay > 0 else {
            send(answer, keepAlive: head.isKeepAlive, context)
            return
        }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(Int64(answer.delay * 1000))) {
            handler.value.send(answer, keepAlive: false, bound.value)
        }
    }

    private func send(
        _ answer: AppleAnswer,
        keepAlive: Bool,
        _ context: ChannelHandlerContext,
    ) {
        var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
        headers.replaceOrAdd(name: "Content-Type", value: "application/json")
        if answer.status != 204 {
            headers.add(name: "Content-Length", value: "\(answer.body.count)")
        }
        if !keepAlive { headers.add(name: "Connection", value: "close") }
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: answer.status),
            headers: headers,
        )
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !answer.body.isEmpty {
            let buffer = context.channel.allocator.buffer(bytes: answer.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
        }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            if let victim = answer.victim { kill(victim, SIGKILL) }
            if !keepAlive { bound.value.close(promise: nil) }
        }
    }
}
