import AsyncHTTPClient
import Essentials
import HTTPCalling
import NIOCore
import NIOHTTP1
package import NIOPosix
package import NIOSSL

/// Carries requests to Apple over HTTPS.
///
/// Redirects are not followed, so that a token reaches no other server, and of an answer no more is kept
/// than ``Limits/answer``.
package struct HTTPTransport: APITransport {
    package struct Limits: Sendable {
        /// Seconds within which a connection must be established.
        package var connecting: Int64 = 15
        /// Seconds within which the whole answer must arrive; Apple takes many for large profiles.
        package var answering: Int64 = 90
        /// Bytes of an answer, of which the largest is a page of 200 resources.
        package var answer = 8 * 1024 * 1024

        package init() {}
    }

    private let client: HTTPClient
    private let limits: Limits

    /// - Parameters:
    ///   - authorities: which to trust beside the system's.
    ///   - limits: of time and size.
    ///   - group: whose threads carry the connections.
    package init(
        authorities: [NIOSSLCertificate] = [],
        limits: Limits = Limits(),
        group: MultiThreadedEventLoopGroup = .singleton,
    ) {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if !authorities.isEmpty { tls.additionalTrustRoots = [.certificates(authorities)] }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: .init(
                connect: .seconds(limits.connecting),
                read: .seconds(limits.answering),
            ),
            decompression: .disabled,
        )
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(
            eventLoopGroupProvider: .shared(group),
            configuration: configuration,
        )
        self.limits = limits
    }

    /// Closes the connections; the owner of a transport calls this last.
    package func shutdown() async {
        try? await client.shutdown()
    }

    package func send(
        _ request: APIExchange.Outgoing
    ) async throws(AppleFailure) -> APIExchange.Answer {
        var outgoing = HTTPClientRequest(url: request.address)
        outgoing.method = HTTPMethod(rawValue: request.method)
        outgoing.headers = [
            "Accept": "application/json",
            "Authorization": request.authorization,
            "User-Agent": "ota",
        ]
        if let body = request.body {
            outgoing.headers.add(name: "Content-Type", value: "application/json")
            outgoing.body = .bytes(ByteBuffer(bytes: body))
        }
        do {
            let answer = try await client.execute(outgoing, timeout: .seconds(limits.answering))
            let body = try await answer.body.collect(upTo: limits.answer)
            var headers: [String: String] = [:]
            for (name, value) in answer.headers where headers[name.lowercased()] == nil {
                headers[name.lowercased()] = value
            }
            return APIExchange.Answer(
                status: Int(answer.status.code),
                headers: headers,
                body: Array(buffer: body),
            )
        } catch {
            throw failure(error, from: URL(string: request.address)?.host() ?? "the server")
        }
    }

    private func failure(_ error: any Error, from host: String) -> AppleFailure {
        switch CallTrouble(error, from: host) {
        case .untrusted(let reason): .untrusted(reason: reason)
        case .unreachable(let reason): .unreachable(reason: reason)
        case .connectingTooSlow: .tooSlow(seconds: Int(limits.connecting))
        case .answeringTooSlow: .tooSlow(seconds: Int(limits.answering))
        case .answerTooLarge: .answerTooLarge(limit: limits.answer)
        case .interrupted: .interrupted
        }
    }
}
