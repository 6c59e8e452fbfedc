import NIOCore

/// Next to the socket, below TLS: where a connection is cut without a word.
///
/// An ordinary close would wait for the client to take what is pending, which a dead one never
/// does.
final class SocketEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func cut() {
        context?.close(promise: nil)
    }
}
