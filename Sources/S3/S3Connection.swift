import AsyncHTTPClient
package import Cryptography
import Dispatch
import Essentials
import HTTPCalling
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// Carries requests to a store by HTTP 1.1, over connections that are kept.
///
/// It blocks the calling thread and needs none of Swift's cooperative pool meanwhile: the work is done by
/// the event loops. Redirects are not followed, so that a signature reaches no other server. The
/// connections are closed when nobody holds it any longer.
package final class S3Connection: S3Transport {
    /// Seconds within which a connection must be established.
    private static let connecting: Int64 = 10

    private let client: HTTPClient
    /// Its own, because the callers may be the loops of a server, which it would wait for otherwise.
    private let group: MultiThreadedEventLoopGroup

    /// - Parameter authorities: of the store's certificate, besides the system's.
    /// - Throws: ``S3Failure/untrusted(reason:)`` for an authority that TLS cannot use.
    package init(authorities: [Certificate] = []) throws(S3Failure) {
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
            timeout: .init(connect: .seconds(Self.connecting)),
            decompression: .disabled,
        )
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        client = HTTPClient(
            eventLoopGroupProvider: .shared(group),
            configuration: configuration,
        )
    }

    deinit {
        let (client, group) = (client, group)
        Task {
            try? await client.shutdown()
            try? await group.shutdownGracefully()
        }
    }

    package func send(_ request: S3Exchange.Outgoing) throws(S3Failure) -> S3Exchange.Answer {
        let host = URL(string: request.address)?.host() ?? "the store"
        do {
            var outgoing = try HTTPClient.Request(
                url: request.address,
                method: HTTPMethod(rawValue: request.method),
                headers: HTTPHeaders(request.headers.sorted { $0.key < $1.key }),
            )
            outgoing.headers.add(name: "user-agent", value: "ota")
            if !request.body.isEmpty || request.method == "PUT" || request.method == "POST" {
                outgoing.body = .byteBuffer(ByteBuffer(bytes: request.body))
            }
            let collector = ResponseAccumulator(
                request: outgoing,
                maxBodySize: request.longestAnswer,
            )
            let answer = try Self.wait(
                for: client.execute(
                    request: outgoing,
                    delegate: collector,
                    deadline: .now() + .seconds(Int64(request.seconds)),
                ).futureResult
            )
            var headers: [String: String] = [:]
            for (name, value) in answer.headers where headers[name.lowercased()] == nil {
                headers[name.lowercased()] = value
            }
            return S3Exchange.Answer(
                status: Int(answer.status.code),
                headers: headers,
                body: answer.body.map { Array(buffer: $0) } ?? [],
            )
        } catch {
            throw Self.failure(error, from: host, for: request)
        }
    }

    /// Blocks this thread, whether it is one of an event loop or not.
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
        guard let value = result.withLock({ $0 }) else { throw S3Failure.interrupted }
        return try value.get()
    }

    private static func failure(
        _ error: any Error,
        from host: String,
        for request: S3Exchange.Outgoing,
    ) -> S3Failure {
        switch CallTrouble(error, from: host) {
        case .untrusted(let reason): .untrusted(reason: reason)
        case .unreachable(let reason): .unreachable(host: host, reason: reason)
        case .connectingTooSlow: .tooSlow(host: host, seconds: Int(connecting))
        case .answeringTooSlow: .tooSlow(host: host, seconds: request.seconds)
        case .answerTooLarge: .answerTooLarge(limit: request.longestAnswer)
        case .interrupted: .interrupted
        }
    }
}
