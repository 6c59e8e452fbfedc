import NIOCore

/// Notices at once that the other end of a connection stops sending, as that of a killed process
/// does; the server can still send there, so the connection stays active.
final class InputEndWatch: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private var isEnded = false
    private var onEnd: @Sendable () -> Void

    private init(_ onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    /// Calls `onEnd` when the other end of `channel` stops sending, or has; a later call for the
    /// same connection replaces it.
    static func watch(_ channel: any Channel, _ onEnd: @escaping @Sendable () -> Void) {
        channel.eventLoop.execute {
            let pipeline = channel.pipeline.syncOperations
            if let watch = try? pipeline.handler(type: InputEndWatch.self) {
                watch.onEnd = onEnd
                if watch.isEnded { onEnd() }
                return
            }
            do {
                // Before TLS, which keeps the end to itself.
                try pipeline.addHandler(InputEndWatch(onEnd), position: .first)
                if !channel.isActive { onEnd() }
            } catch {
                onEnd()
            }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { end() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    private func end() {
        isEnded = true
        onEnd()
    }
}
