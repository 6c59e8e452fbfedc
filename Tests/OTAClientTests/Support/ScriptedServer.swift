import Access
import Cryptography
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import OTAClient
import Releases
import Synchronization
import Testing

/// A TLS server that sends its connections the given bytes, one element for each and the last one for all
/// further ones, whatever the request, and records what it receives.
struct ScriptedServer {
    let port: Int
    let identity: ServerIdentity
    private let heard: HeardText

    static let secret = TokenSecret { [UInt8](repeating: 7, count: $0) }

    /// Runs a server while `body` runs; its certificate is for `name`.
    static func run(
        saying texts: String...,
        as name: String = "127.0.0.1",
        _ body: (ScriptedServer) async throws -> Void,
    ) async throws {
        try await run(saying: texts, as: [name], body)
    }

    static func run(
        saying texts: [String],
        as names: [String] = ["127.0.0.1"],
        _ body: (ScriptedServer) async throws -> Void,
    ) async throws {
        let identity = try ServerIdentity(for: names)
        let heard = HeardText()
        let left = Mutex(texts[...])
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: identity.context))
                    let text = left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
                    try pipeline.addHandler(Script(text: text ?? "", heard: heard))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = ScriptedServer(
            port: channel.localAddress?.port ?? 0,
            identity: identity,
            heard: heard,
        )
        do {
            try await body(server)
        } catch {
            try await channel.close()
            throw error
        }
        try await channel.close()
    }

    var authority: Certificate { identity.authority }
    var certificate: Certificate { identity.certificate }
    var trustInAuthority: [ServerTrust] { identity.trustInAuthority }
    var everyTrust: [ServerTrust] { identity.everyTrust }
    var heardText: String { heard.text }

    func connection(
        to host: String = "127.0.0.1",
        trusting trust: ServerTrust? = nil,
        through proxy: String? = nil,
    ) throws -> ServerConnection {
        let url = try BaseURL("https://\(host):\(port)")
        return ServerConnection(
            to: url,
            showing: Self.secret,
            trusting: trust ?? .authorities([authority]),
            through: try ProxyServer.leading(to: url, in: ["HTTPS_PROXY": proxy ?? ""]),
        )
    }
}

/// Text that a connection appends to.
final class HeardText: Sendable {
    private let lock = Mutex("")

    var text: String { lock.withLock { $0 } }

    func append(_ text: String) {
        lock.withLock { $0 += text }
    }
}

private final class Script: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let text: String
    private let heard: HeardText
    private var request = ""
    private var hasSpoken = false

    init(text: String, heard: HeardText) {
        self.text = text
        self.heard = heard
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let piece = String(buffer: unwrapInboundIn(data))
        heard.append(piece)
        request += piece
        guard !hasSpoken, isWhole else { return }
        hasSpoken = true
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        context.close(promise: nil)
    }

    /// Whether the body has arrived too: unread bytes at the end of a connection could destroy the response.
    private var isWhole: Bool {
        let parts = request.split(
            separator: "\r\n\r\n",
            maxSplits: 1,
            omittingEmptySubsequences: false,
        )
        guard parts.count == 2 else { return false }
        let length = parts[0].lowercased().split(separator: "\r\n")
            .first { $0.hasPrefix("content-length: ") }
        return parts[1].utf8.count >= length.flatMap { Int($0.dropFirst(16)) } ?? 0
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
