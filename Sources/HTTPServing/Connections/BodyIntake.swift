package import NIOCore
import NIOHTTP1
package import NIOPosix

/// Reads request bodies that have no size limit off a connection, on the connection's event loop.
///
/// Such a body is never split into parts that a task awaits one by one. It is gathered in windows, and
/// full windows are passed to threads that may block on the disk. One window fills while the other one is
/// written; when both are full, reading stops, so memory use stays constant. Nothing is read either until
/// the route has named the destination of the bytes.
final class BodyIntake: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Bytes of a body read at once: a few TLS records, which stay in the processor's cache.
    static let stretch = 128 << 10

    private let isTaken: () -> Bool
    private var context: ChannelHandlerContext?
    private var reception: BodyReception?
    /// Requests that were passed on and have no response yet; the reception belongs to the last of them.
    private var unanswered = 0
    /// The end of the current body, and requests that arrived in the same read behind it.
    private var behind: [HTTPServerRequestPart] = []
    /// Whether a read was requested while no bytes were wanted.
    private var isReadOwed = false

    /// - Parameter isTaken: whether this handler takes the body of the current request.
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

    /// Passes the body of the current request to `sink`; called on the connection's event loop.
    ///
    /// `offset` is the position of the body in its file, in bytes; windows end on that file's block
    /// boundaries.
    ///
    /// Fails with the error that `sink` throws, or if its threads have been shut down.
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
            // The request has no body; the held bytes belong to a later request.
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
        // Both fail on a connection that has just closed, where they no longer matter.
        try? options.setOption(.recvAllocator, value: allocator)
        try? options.setOption(.maxMessagesPerRead, value: 1)
    }

    /// Gives up the current body: the bytes that have arrived are passed on, and no more are awaited.
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
        // The route answered before it asked for the body, or after it had read all of it.
        if unanswered == 0 { reception?.drop() }
        advance()
    }

    // MARK: Progress

    /// Does what is possible now: writes a full window, ends a body, or reads more.
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

    /// Passes on the end of the body, and the requests held behind it.
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
    /// Passes the body of the current request to `take`, one window at a time, on `threads`.
    ///
    /// - Parameters:
    ///   - offset: the position of the body in its file, in bytes.
    ///   - limit: the most bytes of the body that are taken.
    ///   - threads: where `take` runs, which may block.
    ///   - take: receives each window; its bytes are valid only during the call.
    /// - Returns: how many bytes were taken, and how the body ended.
    /// - Throws: the error of `take`, which is not called again after it.
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
                    // The connection has closed, which removes its handlers.
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
