package import NIOCore
import NIOHTTP1
package import NIOPosix

/// Takes bodies without a limit off a connection, on the thread that owns it.
///
/// Such a body never becomes parts that a task waits for one by one: it is gathered in a window, and
/// whole windows go to threads that may wait for the disk. One window fills while the other one is
/// written; when both are full nothing more is read, so that memory stays flat. Until the route has
/// said where the bytes go, nothing is read either.
final class BodyIntake: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Bytes of a body read at once: some TLS records, which stay in the processor's cache.
    static let stretch = 128 << 10

    private let isTaken: () -> Bool
    private var context: ChannelHandlerContext?
    private var reception: BodyReception?
    /// Requests that were passed on and have no response; the reception is for the last of them.
    private var unanswered = 0
    /// The end of the body at hand, and requests that came behind it in one go.
    private var behind: [HTTPServerRequestPart] = []
    /// A read was requested while no bytes were wanted.
    private var isReadOwed = false

    /// - Parameter isTaken: whether the body of the current request is to be taken here.
    init(isTaken: @escaping () -> Bool) {
        self.isTaken = isTaken
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        cut()
        self.context = nil
    }

    // MARK: The route's side

    /// Hands the body of the current request to `sink`; called on the connection's event loop.
    ///
    /// `offset` is where the body belongs in a file; windows are cut where blocks of that end.
    ///
    /// Fails with what `sink` throws, or when its threads have ended.
    func take(
        at offset: Int,
        atMost limit: Int,
        into sink: BodySink,
    ) -> EventLoopFuture<TakenBody> {
        let promise = sink.loop.makePromise(of: TakenBody.self)
        if reception != nil, unanswered == 1 {
            readInStretches()
            reception?.open(sink, at: offset, atMost: limit, promise)
            advance()
        } else {
            // A request without a body; what is held belongs to one behind it.
            promise.succeed(TakenBody(count: 0, end: .whole))
        }
        return promise.futureResult
    }

    private func readInStretches() {
        guard let options = context?.channel.syncOptions else { return }
        let allocator = AdaptiveRecvByteBufferAllocator(
            minimum: 2048,
            initial: Self.stretch,
            maximum: Self.stretch,
        )
        // Of a connection that has just ended neither can be set, and neither matters.
        try? options.setOption(.recvAllocator, value: allocator)
        try? options.setOption(.maxMessagesPerRead, value: 1)
    }

    /// Gives up the current body: what has arrived is passed on, and nothing more is awaited.
    func cut() {
        reception?.end(as: .cut)
        advance()
    }

    // MARK: What comes in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard behind.isEmpty else { return behind.append(part) }
        receive(part, context)
    }

    private func receive(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head:
            unanswered += 1
            if isTaken() { reception = BodyReception() }
            context.fireChannelRead(wrapInboundOut(part))
        case .body(let bytes):
            guard reception != nil else { return context.fireChannelRead(wrapInboundOut(part)) }
            reception?.add(bytes)
            advance()
        case .end:
            guard reception != nil else { return context.fireChannelRead(wrapInboundOut(part)) }
            behind.append(part)
            reception?.end(as: .whole)
            advance()
        }
    }

    func read(context: ChannelHandlerContext) {
        if reception?.isFull == true {
            isReadOwed = true
        } else {
            context.read()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        cut()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        cut()
        context.fireErrorCaught(error)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { cut() }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: What goes out

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else {
            return context.write(data, promise: promise)
        }
        unanswered -= 1
        context.write(data, promise: promise)
        // Answered before its body was asked for, or read to its end.
        if unanswered == 0 { reception?.drop() }
        advance()
    }

    // MARK: Progress

    /// Does what can be done now: writes a full window, ends a body, asks for more.
    private func advance() {
        if let window = reception?.nextWindow(), let sink = reception?.sink {
            write(window, into: sink)
        }
        if reception?.isDone == true, !behind.isEmpty { release() }
        if isReadOwed, reception?.isFull != true {
            isReadOwed = false
            context?.read()
        }
    }

    private func write(_ window: BodyWindow, into sink: BodySink) {
        let bound = NIOLoopBound(self, eventLoop: sink.loop)
        sink.threads.runIfActive(eventLoop: sink.loop) {
            try window.empty(into: sink.take)
        }.whenComplete { result in
            bound.value.reception?.written(window, result)
            bound.value.advance()
        }
    }

    /// Passes on the end of the body, and what came behind it.
    private func release() {
        reception = nil
        let parts = behind
        behind = []
        guard let context, let end = parts.first else { return }
        context.fireChannelRead(wrapInboundOut(end))
        for part in parts.dropFirst() {
            if behind.isEmpty { receive(part, context) } else { behind.append(part) }
        }
        context.fireChannelReadComplete()
    }
}

extension Channel {
    /// Hands the body of the request at hand to `take`, a window at a time, on `threads`.
    ///
    /// - Throws: what `take` throws; nothing more is taken then.
    package func takeBody(
        at offset: Int,
        atMost limit: Int,
        on threads: NIOThreadPool,
        _ take: @escaping @Sendable (FullWindow) throws -> Void,
    ) async throws -> TakenBody {
        let loop = eventLoop
        let pipeline = pipeline
        let sink = BodySink(loop: loop, threads: threads, take: take)
        return try await withTaskCancellationHandler {
            try await loop.flatSubmit {
                do {
                    let intake = try pipeline.syncOperations.handler(type: BodyIntake.self)
                    return intake.take(at: offset, atMost: limit, into: sink)
                } catch {
                    // The connection has ended, and its handlers with it.
                    return loop.makeSucceededFuture(TakenBody(count: 0, end: .cut))
                }
            }.get()
        } onCancel: {
            loop.execute {
                try? pipeline.syncOperations.handler(type: BodyIntake.self).cut()
            }
        }
    }
}
