import NIOCore
import NIOTLS

/// Sits in front of the HTTP decoder and passes only unambiguous request heads.
///
/// One request passes at a time. Bytes that a client has sent after it wait here undecoded, and reading
/// stops until the gate accepts another request, so neither requests nor responses pile up for a client
/// that does not read. A request that arrived whole and that the cache answers ends here, without being
/// decoded.
final class HeadGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    private var scanner: RequestHeadScanner
    private let clock: ConnectionClock
    private let gate: RequestGate
    private var context: ChannelHandlerContext?
    private var held = ByteBuffer()
    /// Whether a read was requested while bytes were held.
    private var isReadOwed = false
    /// Whether the client's end of input arrived while bytes were held.
    private var isEndOwed = false
    private var isPassing = false
    private var isShut = false

    init(limits: ServerLimits, clock: ConnectionClock, gate: RequestGate) {
        scanner = RequestHeadScanner(limits: limits)
        self.clock = clock
        self.gate = gate
    }

    /// Bytes that wait for the gate.
    var heldBytes: Int { held.readableBytes }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        held = ByteBuffer()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isShut else { return }
        if held.readableBytes == 0 {
            held = unwrapInboundIn(data)
        } else {
            held.writeImmutableBuffer(unwrapInboundIn(data))
        }
        pass(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        clock.readingEnded()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        guard held.readableBytes == 0 else { return isReadOwed = true }
        clock.readingBegan()
        context.read()
    }

    /// Continues with the held bytes, because the gate may accept another request.
    func goOn() {
        guard held.readableBytes > 0, !isPassing, let loop = context?.eventLoop else { return }
        // Deferred: this is called from inside the write that made room.
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute { bound.value.goOnNow() }
    }

    private func goOnNow() {
        guard let context, held.readableBytes > 0 else { return }
        pass(context)
        context.fireChannelReadComplete()
        guard held.readableBytes == 0, isReadOwed else { return }
        isReadOwed = false
        read(context: context)
    }

    private func pass(_ context: ChannelHandlerContext) {
        guard !isPassing else { return }
        isPassing = true
        defer { isPassing = false }
        while held.readableBytes > 0, !isShut {
            let isFirst = scanner.isBetweenRequests
            if isFirst {
                switch gate.readiness {
                case .ready: break
                case .later: return
                case .never: return shut()
                }
            }
            let count: Int
            do throws(RefusedRequest) {
                count = try scanner.scanRequest(held.readableBytesUInt8Span)
            } catch {
                shut()
                context.fireErrorCaught(
                    RefusedHead(
                        reason: error,
                        target: String(decoding: scanner.targetStart, as: UTF8.self),
                    )
                )
                return
            }
            guard let part = held.readSlice(length: count) else { return }
            // Releases the buffer once its last part has been read.
            if held.readableBytes == 0 { held = ByteBuffer() }
            let isWhole = isFirst && scanner.isBetweenRequests
            if isWhole, let request = AskedRequest(head: part),
                gate.answer(request)
            {
                continue
            }
            if !scanner.isMethodUnknown { context.fireChannelRead(wrapInboundOut(part)) }
            clock.bytesArrived(count, isInsideHead: scanner.isInsideHead)
        }
        if isEndOwed {
            isEndOwed = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
    }

    private func shut() {
        isShut = true
        held = ByteBuffer()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { clock.handshakeCompleted() }
        // After this event the decoder would read nothing more, but earlier requests are still held.
        if case ChannelEvent.inputClosed = event, held.readableBytes > 0 { return isEndOwed = true }
        context.fireUserInboundEventTriggered(event)
    }
}

/// A head that was refused before the decoder saw it.
struct RefusedHead: Error {
    let reason: RefusedRequest
    /// The beginning of its target, as far as it has arrived.
    let target: String
}
