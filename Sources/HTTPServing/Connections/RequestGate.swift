import NIOCore
import NIOHTTP1

/// Decides for each request of a connection: answered here from memory, handed on, or refused.
///
/// A connection has one request at a time, and none while the answers before it wait for the client:
/// what is written counts until it has left the process, also where TLS still has it.
///
/// Also knows when the connection is done: after the last response of a client that wants it
/// closed, of a refused request, or of a server that is stopping.
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
    private var context: ChannelHandlerContext?
    /// Until the first request is handed on.
    private var handedOn: EventLoopPromise<Void>?
    /// Holds the requests that are not handed on yet.
    weak var headGuard: HeadGuard?
    /// Requests handed on whose response has not ended.
    var pending = 0
    /// Whether the response to the oldest of them has begun.
    var hasBegun = false
    /// The current request was answered from the cache; its end has not arrived yet.
    var isSwallowing = false
    /// The current request was not found in memory before it was decoded.
    private var wasAsked = false
    /// No further request is read; the connection closes after the last pending response.
    var isLast = false
    var refusal: RefusedRequest?
    var isClosing = false
    private var isHTTP10 = false
    private var bodyBytes = 0
    /// The policy for the body of the current request.
    private(set) var bodyPolicy = BodyPolicy.none
    var target = ""
    /// Bytes of responses that TLS may hold without the channel counting them.
    var unflushed = 0
    /// The most bytes that waited on this connection.
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

    /// Bytes of answers after which they are flushed.
    private static let mostUnflushed = 32 << 10

    enum Readiness { case ready, later, never }

    /// Whether another request is taken.
    var readiness: Readiness {
        if isLast || isClosing || refusal != nil { return .never }
        return pending == 0 && context?.channel.isWritable == true ? .ready : .later
    }

    /// Ends with the first request that is handed on, or with the connection; nil when it has.
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

    /// Counts what the process holds for this connection: what came in and waits, what TLS has, and
    /// what the socket has not taken, which is asked for only once it is much.
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
        if !head.isKeepAlive || head.headers.contains(name: "upgrade") { isLast = true }
        // The cache lets one request replace an answer, and would give it the old one at a second lookup.
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

    /// Answers a request from memory that has not been decoded.
    ///
    /// - Returns: false for what a route has to answer, and for what is refused: it is to be decoded.
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

    /// Counts an answer from memory, if there was one, and sends what is much.
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
            if isLast || refusal != nil, pending == 1 {
                head.headers.replaceOrAdd(name: "connection", value: "close")
            } else if isHTTP10 {
                head.headers.replaceOrAdd(name: "connection", value: "keep-alive")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
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
            // Answered before its body was read: what follows cannot be distinguished from the next
            // request.
            isLast = true
            finish(context)
        } else {
            clock.becameIdle()
            headGuard?.goOn()
        }
    }
}
