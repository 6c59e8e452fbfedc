import NIOCore
import NIOHTTP1

/// Decides about each request of a connection: answer it from the cache, pass it on, or refuse it.
///
/// A connection has one request at a time, and takes none while earlier responses wait for the client.
/// Written bytes count as waiting until they have left the process, even while TLS buffers them.
///
/// The gate also closes the connection: after the last response to a client that asked for that, after a
/// refused request, and when the server stops.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    let shared: ConnectionContext
    let clock: ConnectionClock
    let rawWriter: RawResponseWriter
    private let cachedAnswers: CachedAnswers
    private var headCheck: RequestHeadCheck
    let end: SocketEnd
    var client = ""
    private(set) var context: ChannelHandlerContext?
    /// The body of the current response, if it is written from outside the connection's task.
    var liveBody: LiveBody.Listener?
    /// Completed when the first request is passed on.
    private var handedOn: EventLoopPromise<Void>?
    /// Holds the requests that have not been passed on yet.
    weak var headGuard: HeadGuard?
    /// Requests passed on whose response has not ended.
    var pending = 0
    /// Whether the response to the oldest of them has begun.
    var hasBegun = false
    /// Whether the current request was answered from the cache while its end has not arrived yet.
    var isSwallowing = false
    /// Whether the cache was asked for the current request before it was decoded, and had no answer.
    private var wasAsked = false
    /// Whether the connection takes no further request and closes after the last pending response.
    var isLast = false
    var refusal: RefusedRequest?
    var isClosing = false
    private(set) var isHTTP10 = false
    private var bodyBytes = 0
    /// The policy for the body of the current request.
    private(set) var bodyPolicy = BodyPolicy.none
    var target = ""
    /// Bytes of responses that TLS may hold without the channel counting them.
    var unflushed = 0
    /// The most bytes held at once for this connection.
    private var mostHeld = 0

    init(
        shared: ConnectionContext,
        clock: ConnectionClock,
        rawWriter: RawResponseWriter,
        end: SocketEnd,
    ) {
        self.shared = shared
        self.clock = clock
        self.rawWriter = rawWriter
        cachedAnswers = CachedAnswers(shared: shared, rawWriter: rawWriter)
        headCheck = RequestHeadCheck(shared: shared)
        self.end = end
    }

    /// Bytes of cached responses after which they are flushed.
    private static let mostUnflushed = 32 << 10

    enum Readiness { case ready, later, never }

    /// Whether another request can be taken.
    var readiness: Readiness {
        if isLast || isClosing || refusal != nil { return .never }
        return pending == 0 && context?.channel.isWritable == true ? .ready : .later
    }

    /// Completes when the first request is passed on or the connection closes; nil once that has
    /// happened.
    var firstRequest: EventLoopFuture<Void>? { handedOn?.futureResult }

    private func beginHandingOn() {
        handedOn?.succeed()
        handedOn = nil
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        handedOn = context.eventLoop.makePromise()
        client = context.channel.remoteAddress?.ipAddress ?? ""
        clock.start()
        shared.metrics.connectionOpened()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        beginHandingOn()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        beginHandingOn()
        clock.stop()
        shared.metrics.connectionClosed()
        liveBody?.connectionEnded()
        liveBody = nil
        context.fireChannelInactive()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing, refusal == nil else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard !isLast else { return }
            begin(head, data, context)
        case .body(let bytes):
            guard pending > 0, !isSwallowing else { return }
            bodyBytes += bytes.readableBytes
            if let limit = bodyPolicy.limit, bodyBytes > limit {
                return refuse(.bodyTooLarge, of: target, context)
            }
            context.fireChannelRead(data)
        case .end:
            if isSwallowing {
                isSwallowing = false
                if isLast { finish(context) }
            } else if pending > 0 {
                clock.awaitsBody = false
                context.fireChannelRead(data)
            }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if unflushed > 0 { flush(context) }
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        context.fireChannelWritabilityChanged()
        if context.channel.isWritable {
            liveBody?.canWrite()
            headGuard?.goOn()
        } else {
            let waiting = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
            countHeld(waiting: waiting ?? 0)
        }
    }

    private func flush(_ context: ChannelHandlerContext) {
        unflushed = 0
        context.flush()
    }

    /// Records the most bytes that the process holds for this connection: received and waiting, buffered
    /// by TLS, or not yet taken by the socket.
    ///
    /// The last is queried only once the channel is not writable.
    private func countHeld(waiting: Int = 0) {
        let held = unflushed + waiting + (headGuard?.heldBytes ?? 0)
        guard held > mostHeld else { return }
        mostHeld = held
        shared.metrics.connectionHeld(held)
    }

    private func begin(
        _ head: HTTPRequestHead,
        _ data: NIOAny,
        _ context: ChannelHandlerContext,
    ) {
        target = head.uri
        bodyPolicy = .none
        let accepted: RequestHeadCheck.Accepted
        do throws(RefusedRequest) {
            accepted = try headCheck.check(head)
        } catch {
            return refuse(error, of: target, context)
        }
        bodyPolicy = accepted.bodyPolicy
        if accepted.isLast { isLast = true }
        isHTTP10 = head.version == .http1_0
        if head.endsConnection { isLast = true }
        // A lookup may let one request refresh a stale answer; a second one would return the old answer.
        let mayAsk = !wasAsked
        wasAsked = false
        if pending == 0, mayAsk, !accepted.hasBody, let asked = AskedRequest(head, isLast: isLast),
            count(cachedAnswers.answer(asked, from: client), context)
        {
            isSwallowing = true
            return
        }
        beginHandingOn()
        pending += 1
        bodyBytes = 0
        clock.requestBegan(hasBody: accepted.hasBody, isUnbounded: bodyPolicy.limit == nil)
        context.fireChannelRead(data)
    }

    /// Answers an undecoded request, if the cache has a response.
    ///
    /// - Returns: false if a route has to answer or the request is refused; it must be decoded then.
    func answer(_ request: AskedRequest) -> Bool {
        guard let context, readiness == .ready, headCheck.isServed(request.host) else {
            return false
        }
        wasAsked = true
        guard count(cachedAnswers.answer(request, from: client), context) else { return false }
        wasAsked = false
        if request.isLast {
            isLast = true
            finish(context)
        }
        return true
    }

    /// Counts an answer from the cache, if there was one, and flushes once enough bytes have gathered.
    private func count(_ size: Int?, _ context: ChannelHandlerContext) -> Bool {
        guard let size else { return false }
        unflushed += size
        countHeld()
        if unflushed >= Self.mostUnflushed { flush(context) }
        clock.becameIdle()
        return true
    }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        clock.responseAdvanced()
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            hasBegun = true
            head.headers.replaceOrAdd(name: "date", value: HTTPDate.now)
            // Such a client knows no chunks (RFC 9112, 6.1): the end of the connection ends the body.
            if isHTTP10, !head.headers.contains(name: "content-length") {
                isLast = true
                head.version = .http1_0
            }
            if isLast || refusal != nil, pending == 1 {
                head.headers.replaceOrAdd(name: "connection", value: "close")
            } else if isHTTP10 {
                head.headers.replaceOrAdd(name: "connection", value: "keep-alive")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            liveBody = nil
            context.write(data, promise: promise)
            hasBegun = false
            pending -= 1
            if pending == 0 { lastResponseEnded(context) }
        default:
            context.write(data, promise: promise)
        }
    }

    private func lastResponseEnded(_ context: ChannelHandlerContext) {
        if let refusal {
            respond(refusal, context)
        } else if isLast {
            finish(context)
        } else if clock.awaitsBody {
            // Answered before its body was read: the rest of the body cannot be distinguished from the
            // next request.
            isLast = true
            finish(context)
        } else {
            clock.becameIdle()
            headGuard?.goOn()
        }
    }
}
