package import NIOCore

/// Detects at once that the peer has stopped sending, for example because its process was killed.
///
/// The server can still send on such a connection, so the channel stays active.
package final class InputEndWatch: ChannelInboundHandler {
    package typealias InboundIn = NIOAny

    private var isEnded = false
    private var onEnd: @Sendable () -> Void

    private init(_ onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    /// Calls `onEnd` when the peer of `channel` stops sending, or at once if it already has; a later call
    /// for the same connection replaces `onEnd`.
    package static func watch(_ channel: any Channel, _ onEnd: @escaping @Sendable () -> Void) {
        channel.eventLoop.execute {
            let pipeline = channel.pipeline.syncOperations
            if let watch = try? pipeline.handler(type: InputEndWatch.self) {
                watch.onEnd = onEnd
                if watch.isEnded { onEnd() }
                return
            }
            do {
                // In front of TLS, which does not pass the end of input on.
                try pipeline.addHandler(InputEndWatch(onEnd), position: .first)
                if !channel.isActive { onEnd() }
            } catch {
                onEnd()
            }
        }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { end() }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    private func end() {
        isEnded = true
        onEnd()
    }
}

extension Channel {
    /// Runs work for the current request, and cancels it when the client disconnects.
    ///
    /// - Parameter body: the work, whose result is needed only while the connection is open.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, which may be `CancellationError`.
    package func whileConnected<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await body() }
        InputEndWatch.watch(self) { task.cancel() }
        // The connection may carry further requests, and must not retain this one's work.
        defer { InputEndWatch.watch(self) {} }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
