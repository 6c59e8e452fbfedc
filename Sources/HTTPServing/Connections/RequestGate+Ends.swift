import NIOCore
import NIOHTTP1

/// The ways in which a connection ends: a refusal, a timeout, the client, or the server's shutdown.
extension RequestGate {
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let refused as RefusedHead: refuse(refused.reason, of: refused.target, context)
        case is HTTPParserError: refuse(.malformed("not HTTP/1.1"), of: target, context)
        default: context.fireErrorCaught(error)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isLast = true
            if pending == 0, !isSwallowing { finish(context) }
        case ChannelEvent.inputClosed:
            isLast = true
            guard pending == 0 else { return context.fireUserInboundEventTriggered(event) }
            let waiting = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
            if unflushed > 0 || waiting ?? 0 > 0 { return finish(context) }
            context.close(promise: nil)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func expired(_ expiry: ConnectionClock.Expiry, context: ChannelHandlerContext) {
        switch expiry {
        case .quiet: context.close(promise: nil)
        case .stalled: end.cut()
        case .requestIncomplete: refuse(.timedOut, of: target, context)
        }
    }

    /// `target` is that of the refused request, which is not the one that is still being answered.
    func refuse(
        _ reason: RefusedRequest,
        of target: String,
        _ context: ChannelHandlerContext,
    ) {
        guard refusal == nil, !isClosing else { return }
        refusal = reason
        self.target = target
        if pending == 0 {
            respond(reason, context)
        } else if pending == 1, clock.awaitsBody {
            // The current request will never be complete; closing the channel notifies its handler.
            if hasBegun { context.close(promise: nil) } else { respond(reason, context) }
        }
    }

    func respond(_ reason: RefusedRequest, _ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        let answer = shared.refusals(reason, target)
        let bytes = rawWriter.write(answer, .full, .close)
        shared.accessLog.enter(
            Exchange(refused: reason, status: answer.status, bytes: bytes, client: client)
        )
        finish(context)
    }

    /// Sends the remaining bytes and waits up to two seconds for the client to close, so that a reset
    /// does not discard the last response while the client is still sending.
    func finish(_ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        isClosing = true
        unflushed = 0
        clock.stop()
        context.flush()
        context.close(mode: .output, promise: nil)
        let end = NIOLoopBound(end, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .seconds(2)) { end.value.cut() }
    }
}
