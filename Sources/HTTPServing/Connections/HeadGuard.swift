import NIOCore
import NIOTLS

/// Stands in front of the HTTP decoder and lets only heads through that have one meaning.
///
/// One request goes through at a time. What a client has sent behind it waits here as it came, and
/// nothing more is read, until the gate takes another request: so neither requests nor answers pile
/// up for a client that does not read. A request that memory answers, and that came as a whole, ends
/// here: it needs no decoder.
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
    /// More was asked for while bytes were held.
    private var isReadOwed = false
    /// The client's end came while bytes were held.
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

    /// Goes on with what is held; the gate may take another request.
    func goOn() {
        guard held.readableBytes > 0, !isPassing, let loop = context?.eventLoop else { return }
        // Not from inside the write that made room.
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
            // What was read whole is let go of with its last part.
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
        // Behind it the decoder would read nothing, and there are requests that came before.
        if case ChannelEvent.inputClosed = event, held.readableBytes > 0 { return isEndOwed = true }
        context.fireUserInboundEventTriggered(event)
    }
}

/// A head that was turned away before the decoder made a request of it.
struct RefusedHead: Error {
    let reason: RefusedRequest
    /// What its target begins with, as far as it came.
    let target: String
}
