import NIOCore
import NIOTLS

/// Stands in front of the HTTP decoder and lets only heads through that have one meaning.
final class HeadGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var scanner: RequestHeadScanner
    private let clock: ConnectionClock
    private var isShut = false

    init(limits: ServerLimits, clock: ConnectionClock) {
        scanner = RequestHeadScanner(limits: limits)
        self.clock = clock
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isShut else { return }
        let buffer = unwrapInboundIn(data)
        do throws(RefusedRequest) {
            try scanner.scan(buffer.readableBytesUInt8Span)
        } catch {
            isShut = true
            context.fireErrorCaught(
                RefusedHead(
                    reason: error,
                    target: String(decoding: scanner.targetStart, as: UTF8.self),
                )
            )
            return
        }
        context.fireChannelRead(data)
        clock.bytesArrived(isInsideHead: scanner.isInsideHead)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { clock.handshakeCompleted() }
        context.fireUserInboundEventTriggered(event)
    }
}

/// A head that was turned away before the decoder made a request of it.
struct RefusedHead: Error {
    let reason: RefusedRequest
    /// What its target begins with, as far as it came.
    let target: String
}
