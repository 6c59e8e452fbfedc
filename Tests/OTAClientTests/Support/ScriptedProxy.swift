import NIOCore
import NIOPosix

/// A proxy that sends the given bytes in response to anything, and closes the connection.
///
/// Without bytes, it sends nothing. It records what it receives.
enum ScriptedProxy {
    static func run(
        saying text: String?,
        _ body: (_ address: String, _ heard: HeardText) async throws -> Void,
    ) async throws {
        let heard = HeardText()
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Words(text: text, heard: heard))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body("127.0.0.1:\(channel.localAddress?.port ?? 0)", heard)
        } catch {
            try await channel.close()
            throw error
        }
        try await channel.close()
    }

    private final class Words: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let text: String?
        private let heard: HeardText
        private var request = ""

        init(text: String?, heard: HeardText) {
            self.text = text
            self.heard = heard
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let piece = String(buffer: unwrapInboundIn(data))
            heard.append(piece)
            request += piece
            guard let text, request.hasSuffix("\r\n\r\n") else { return }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            context.close(promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
