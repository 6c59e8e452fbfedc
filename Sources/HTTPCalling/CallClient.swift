import AsyncHTTPClient
package import Cryptography
import Dispatch
import Essentials
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// Sends requests by HTTP/1.1 over persistent connections, which are closed when the client is
/// deinitialised.
///
/// Redirects are not followed, so that a token or a signature reaches no other server, and no more of a
/// response is kept than its request allows. The event loops do all the work, so a thread that blocks on
/// a response cannot starve it, even if it is one of Swift's cooperative pool.
package final class CallClient: CallTransport, BlockingCallTransport {
    /// The event loops that do the work.
    package enum Loops: Sendable {
        /// The event loops of the process, none of which may call ``CallClient/waitForAnswer(to:)``.
        case shared
        /// An event loop of the client's own, so that a server's event loops may block on a response too.
        case own
    }

    private let client: HTTPClient
    private let connecting: Int
    private let ownLoops: MultiThreadedEventLoopGroup?

    /// - Parameters:
    ///   - authorities: root certificates that are trusted besides the system's.
    ///   - connecting: seconds within which a connection must be established.
    ///   - connections: the most connections kept to one server.
    ///   - loops: the event loops that do the work.
    /// - Throws: ``CallTrouble/untrusted(reason:)`` for an authority that TLS cannot use.
    package init(
        authorities: [Certificate] = [],
        connecting: Int = 15,
        connections: Int = 8,
        loops: Loops = .shared,
    ) throws(CallTrouble) {
        var roots: [NIOSSLCertificate] = []
        for authority in authorities {
            do {
                roots.append(try NIOSSLCertificate(bytes: authority.der, format: .der))
            } catch {
                throw .untrusted(reason: "TLS cannot use the authority \(authority)")
            }
        }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if !roots.isEmpty { tls.additionalTrustRoots = [.certificates(roots)] }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(Int64(connecting))),
            decompression: .disabled,
        )
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        ownLoops = loops == .own ? MultiThreadedEventLoopGroup(numberOfThreads: 1) : nil
        client = HTTPClient(
            eventLoopGroupProvider: .shared(
                ownLoops ?? MultiThreadedEventLoopGroup.singletonMultiThreadedEventLoopGroup
            ),
            configuration: configuration,
        )
        self.connecting = connecting
    }

    deinit {
        let (client, ownLoops) = (client, ownLoops)
        Task {
            try? await client.shutdown()
            try? await ownLoops?.shutdownGracefully()
        }
    }

    package func answer(to request: CallRequest) async throws(CallTrouble) -> CallAnswer {
        do {
            let task = try start(request)
            return CallAnswer(
                try await withTaskCancellationHandler {
                    try await task.get()
                } onCancel: {
                    task.cancel()
                }
            )
        } catch {
            throw trouble(error, with: request)
        }
    }

    package func waitForAnswer(to request: CallRequest) throws(CallTrouble) -> CallAnswer {
        do {
            let task = try start(request)
            return CallAnswer(try ownLoops == nil ? task.wait() : Self.wait(for: task.futureResult))
        } catch {
            throw trouble(error, with: request)
        }
    }

    /// Blocks this thread, which may be an event loop's.
    private static func wait(
        for future: EventLoopFuture<HTTPClient.Response>
    ) throws -> HTTPClient.Response {
        let result = Mutex<Result<HTTPClient.Response, any Error>?>(nil)
        let isThere = DispatchSemaphore(value: 0)
        future.whenComplete { value in
            result.withLock { $0 = value }
            isThere.signal()
        }
        isThere.wait()
        guard let value = result.withLock({ $0 }) else { throw CancellationError() }
        return try value.get()
    }

    /// Sends a request with a deadline for the whole response; the client's asynchronous interface limits
    /// only the time until the head.
    private func start(
        _ request: CallRequest
    ) throws -> HTTPClient.Task<HTTPClient.Response> {
        let outgoing = try HTTPClient.Request(
            url: request.address,
            method: HTTPMethod(rawValue: request.method),
            headers: Self.headers(of: request),
            body: body(of: request),
        )
        return client.execute(
            request: outgoing,
            delegate: ResponseAccumulator(
                request: outgoing,
                maxBodySize: request.longestAnswer,
            ),
            deadline: .now() + .seconds(Int64(request.seconds)),
        )
    }

    private func body(of request: CallRequest) -> HTTPClient.Body? {
        guard let flowing = request.flowingBody else {
            return request.body.map { .byteBuffer(ByteBuffer(bytes: $0)) }
        }
        let loops = ownLoops ?? MultiThreadedEventLoopGroup.singletonMultiThreadedEventLoopGroup
        return .stream(contentLength: Int64(flowing.count)) { writer in
            let isSent = loops.any().makePromise(of: Void.self)
            Self.send(flowing, from: 0, by: writer, isSent)
            return isSent.futureResult
        }
    }

    /// Sends the rest of a body, each piece after the previous one was sent; reading blocks no event
    /// loop.
    private static func send(
        _ body: FlowingBody,
        from offset: Int,
        by writer: HTTPClient.Body.StreamWriter,
        _ isSent: EventLoopPromise<Void>,
    ) {
        guard offset < body.count else { return isSent.succeed() }
        DispatchQueue.global().async {
            let range = offset..<min(offset + FlowingBody.piece, body.count)
            let bytes: ByteBuffer
            do {
                bytes = ByteBuffer(bytes: try body.read(range))
            } catch {
                return isSent.fail(CancellationError())
            }
            writer.write(.byteBuffer(bytes)).whenComplete { written in
                switch written {
                case .success: send(body, from: range.upperBound, by: writer, isSent)
                case .failure(let error): isSent.fail(error)
                }
            }
        }
    }

    private static func headers(of request: CallRequest) -> HTTPHeaders {
        var headers = HTTPHeaders(request.headers.sorted { $0.key < $1.key })
        headers.add(name: "user-agent", value: "ota")
        return headers
    }

    private func trouble(_ error: any Error, with request: CallRequest) -> CallTrouble {
        CallTrouble(
            error,
            from: URL(string: request.address)?.host() ?? "the server",
            connecting: connecting,
            request: request,
        )
    }
}

extension CallAnswer {
    fileprivate init(_ answer: HTTPClient.Response) {
        var headers: [String: String] = [:]
        for (name, value) in answer.headers where headers[name.lowercased()] == nil {
            headers[name.lowercased()] = value
        }
        self.init(
            status: Int(answer.status.code),
            headers: headers,
            body: answer.body.map { Array(buffer: $0) } ?? [],
        )
    }
}
