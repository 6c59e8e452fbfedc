import NIOCore

/// The handler next to the socket, below TLS, that closes a connection at once.
///
/// An ordinary close would wait for the client to read the pending bytes, which a dead client never does.
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
