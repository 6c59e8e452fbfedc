package import NIOCore

/// Notices at once that the other end of a connection stops sending, as that of a killed process
/// does; the server can still send there, so the connection stays active.
package final class InputEndWatch: ChannelInboundHandler {
    package typealias InboundIn = NIOAny

    private var isEnded = false
    private var onEnd: @Sendable () -> Void

    private init(_ onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    /// Calls `onEnd` when the other end of `channel` stops sending, or has; a later call for the
    /// same connection replaces it.
    package static func watch(_ channel: any Channel, _ onEnd: @escaping @Sendable () -> Void) {
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
    /// Works for the current request, and cancels the work when the client disconnects.
    ///
    /// - Parameter body: the work; what it returns is wanted only as long as the connection lasts.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, which may be `CancellationError`.
    package func whileConnected<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await body() }
        InputEndWatch.watch(self) { task.cancel() }
        // The connection may have further requests, and must not keep what this one led to.
        defer { InputEndWatch.watch(self) {} }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
