package import Cryptography
package import Essentials
import NIOSSL

/// How this machine reaches App Store Connect: at which address, and by which authorities.
package struct AppleConnection: Sendable {
    package var endpoint: AppleEndpoint
    /// Authorities of the server's certificate besides the system's, such as that of a proxy.
    package var authorities: [Certificate]

    package init(endpoint: AppleEndpoint = .apple, authorities: [Certificate] = []) {
        self.endpoint = endpoint
        self.authorities = authorities
    }

    /// A transport of its own, whose connections are closed when nobody holds it any longer.
    ///
    /// - Throws: ``AppleFailure/untrusted(reason:)`` for an authority that TLS cannot use.
    package func transport() throws(AppleFailure) -> any APITransport {
        var roots: [NIOSSLCertificate] = []
        for authority in authorities {
            do {
                roots.append(try NIOSSLCertificate(bytes: authority.der, format: .der))
            } catch {
                throw .untrusted(reason: "TLS cannot use the authority \(authority)")
            }
        }
        return HeldTransport(HTTPTransport(authorities: roots))
    }
}

/// Closes its connections when nobody holds it any longer.
private final class HeldTransport: APITransport {
    private let transport: HTTPTransport

    init(_ transport: HTTPTransport) {
        self.transport = transport
    }

    deinit {
        let transport = transport
        Task { await transport.shutdown() }
    }

    func send(
        _ request: APIExchange.Outgoing
    ) async throws(AppleFailure) -> APIExchange.Answer {
        try await transport.send(request)
    }
}

extension CallTiming {
    /// Real waits and real chance, by a clock.
    package static func real(_ clock: @escaping @Sendable () -> Date) -> CallTiming {
        CallTiming(
            now: clock,
            sleep: { try await Task.sleep(for: .seconds($0)) },
            random: { .random(in: 0..<1) },
        )
    }
}
