import NIOCore

/// Closes the connection with an error if the server is silent for too long.
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
