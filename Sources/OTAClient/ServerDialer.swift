import Cryptography
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS
import Releases

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Opens connections to one server, directly or through a proxy.
struct ServerDialer: Sendable {
    typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    let url: BaseURL
    /// The tunnel through a proxy; nil for a direct connection.
    let tunnel: ProxyTunnel?

    /// The host without the brackets of an IPv6 address.
    private var host: String {
        url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
    }

    /// Returns how connections verify the server.
    ///
    /// For a fingerprint this connects once, to see which certificates the server presents.
    ///
    /// - Throws: ``ServerFailure`` if no certificate of the server has that fingerprint.
    func policy(for trust: ServerTrust) async throws -> TrustPolicy {
        switch trust {
        case .system: return try TrustPolicy(naming: url, at: addressInTunnel)
        case .authorities(let authorities):
            return try TrustPolicy(naming: url, at: addressInTunnel, under: authorities)
        case .fingerprint(let digest):
            let shown = try await shownCertificates()
            guard let match = shown.firstIndex(where: { $0.sha256 == digest }) else {
                let own = shown.first.map { "\($0.sha256)" } ?? "none"
                throw ServerFailure.untrusted(
                    url,
                    reason: "the SHA-256 of its certificate is \(own)",
                )
            }
            // The fingerprint is an authority's, so the server's own certificate must be issued under it.
            return match == 0
                ? try TrustPolicy(certificate: digest)
                : try TrustPolicy(naming: url, at: addressInTunnel, under: [shown[match]])
        }
    }

    func connect(_ policy: TrustPolicy) async throws -> Connection {
        try await open { channel in
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(policy.handler(showing: serverName))
            try pipeline.addHandler(IdleStateHandler(allTimeout: ServerConnection.silence))
            try pipeline.addHandler(SilenceIsFailure())
            try pipeline.addHTTPClientHandlers()
            return try Connection(wrappingChannelSynchronously: channel)
        }
    }

    /// Connects to the server, and calls `furnish` with the channel.
    private func open<Furnished: Sendable>(
        _ furnish: @escaping @Sendable (any Channel) throws -> Furnished
    ) async throws -> Furnished {
        if let tunnel { return try await tunnel.open(with: bootstrap, furnish) }
        return try await bootstrap.connect(host: host, port: url.port ?? 443) { channel in
            channel.eventLoop.makeCompletedFuture { try furnish(channel) }
        }
    }

    private var bootstrap: ClientBootstrap {
        ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(ServerConnection.connectTime)
            // The kernel drops unsent data when the connection ends, so it is given no more than the
            // network takes.
            .channelOption(.tcpOption(.init(rawValue: Self.notSentLowWater)), value: 128 << 10)
    }

    #if canImport(Darwin)
    private static let notSentLowWater = TCP_NOTSENT_LOWAT
    #else
    /// `TCP_NOTSENT_LOWAT` of `linux/tcp.h`.
    private static let notSentLowWater: CInt = 25
    #endif

    /// The host name for SNI; nil for an IP address, which must not be sent (RFC 6066, section 3).
    private var serverName: String? {
        let isLiteral = url.host.hasPrefix("[") || url.host.allSatisfy { $0.isNumber || $0 == "." }
        return isLiteral ? nil : url.host
    }

    /// The server's IP address behind a proxy: the TLS library would expect the proxy's address in the
    /// certificate.
    private var addressInTunnel: AlternativeName? {
        tunnel == nil || serverName != nil ? nil : AlternativeName(host)
    }

    /// The names in the server's certificate, for the message that the URL has another name.
    ///
    /// The TLS library does not report them, so this connects once more. They are unverified.
    func shownNames() async -> [AlternativeName] {
        (try? await shownCertificates())?.first?.hosts ?? []
    }

    /// The certificates that the server presents, unverified; no request is sent.
    private func shownCertificates() async throws -> [Certificate] {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        // Nothing is verified, and parsing the system's authorities would take longer than the connection.
        configuration.trustRoots = .certificates([])
        let context = try NIOSSLContext(configuration: configuration)
        let name = serverName
        do {
            let shown = try await open { channel in
                let probe = CertificateProbe(promise: channel.eventLoop.makePromise())
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(probe.handler(context, name))
                try pipeline.addHandler(
                    IdleStateHandler(readTimeout: ServerConnection.connectTime)
                )
                try pipeline.addHandler(SilenceIsFailure())
                try pipeline.addHandler(probe)
                return probe.chain
            }
            return try await shown.get().compactMap { try? Certificate(der: $0) }
        } catch {
            throw ServerFailure(error, from: url)
        }
    }
}
