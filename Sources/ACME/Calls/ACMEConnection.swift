import AsyncHTTPClient
package import Cryptography
import Essentials
import HTTPCalling
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Carries requests to an authority over HTTPS.
///
/// Redirects are not followed, so that every address was judged before it is asked, and of an answer no
/// more is kept than ``longestAnswer``. The connections are closed when nobody holds it any longer.
package final class ACMEConnection: ACMETransport {
    /// Bytes of an answer; a chain of certificates has some thousand.
    private static let longestAnswer = 256 << 10
    /// Seconds within which a connection must be established.
    private static let connecting: Int64 = 15
    /// Seconds within which the whole answer must arrive.
    private static let answering: Int64 = 60

    private let client: HTTPClient

    /// - Parameter authorities: of the authority's own certificate, besides the system's.
    /// - Throws: ``ACMEFailure/untrusted(host:reason:)`` for one that TLS cannot use.
    package init(authorities: [Certificate] = []) throws(ACMEFailure) {
        var roots: [NIOSSLCertificate] = []
        for authority in authorities {
            do {
                roots.append(try NIOSSLCertificate(bytes: authority.der, format: .der))
            } catch {
                throw .untrusted(
                    host: "the authority",
                    reason: "TLS cannot use the certificate \(authority)",
                )
            }
        }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if !roots.isEmpty { tls.additionalTrustRoots = [.certificates(roots)] }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(Self.connecting), read: .seconds(Self.answering)),
            decompression: .disabled,
        )
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(
            eventLoopGroupProvider: .shared(.singletonMultiThreadedEventLoopGroup),
            configuration: configuration,
        )
    }

    deinit {
        let client = client
        Task { try? await client.shutdown() }
    }

    package func send(
        _ request: ACMEExchange.Outgoing
    ) async throws(ACMEFailure) -> ACMEExchange.Answer {
        var outgoing = HTTPClientRequest(url: request.address)
        outgoing.method = HTTPMethod(rawValue: request.method)
        // RFC 8555 section 6.1 asks for a user agent.
        outgoing.headers = ["User-Agent": "ota", "Accept-Language": "en"]
        if let body = request.body {
            outgoing.headers.add(name: "Content-Type", value: "application/jose+json")
            outgoing.body = .bytes(ByteBuffer(bytes: body))
        }
        do {
            let answer = try await client.execute(outgoing, timeout: .seconds(Self.answering))
            let body = try await answer.body.collect(upTo: Self.longestAnswer)
            var headers: [String: String] = [:]
            for (name, value) in answer.headers where headers[name.lowercased()] == nil {
                headers[name.lowercased()] = value
            }
            return ACMEExchange.Answer(
                status: Int(answer.status.code),
                headers: headers,
                body: Array(buffer: body),
            )
        } catch {
            throw Self.failure(error, at: ACMEDirectoryAddress.host(of: request.address))
        }
    }

    private static func failure(_ error: any Error, at host: String) -> ACMEFailure {
        switch CallTrouble(error, from: host) {
        case .untrusted(let reason): .untrusted(host: host, reason: reason)
        case .unreachable(let reason): .unreachable(host: host, reason: reason)
        case .connectingTooSlow: .tooSlow(host: host, seconds: Int(connecting))
        case .answeringTooSlow: .tooSlow(host: host, seconds: Int(answering))
        case .answerTooLarge: .answerTooLarge(host: host, limit: longestAnswer)
        case .interrupted: .interrupted
        }
    }
}
