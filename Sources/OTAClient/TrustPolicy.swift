import Cryptography
import NIOCore
import NIOSSL
import Releases

/// How a TLS connection verifies the server before anything is sent to it.
struct TrustPolicy: Sendable {
    /// What the server's certificate must match.
    private enum Requirement: Sendable {
        /// The host of the URL; the TLS library checks it together with the chain.
        case name
        /// An IP address that the library cannot check, such as behind a proxy; checked after the library
        /// has verified the chain.
        case address(AlternativeName, of: BaseURL)
        /// Exactly this certificate, whatever names it has.
        case certificate(SHA256Digest)
    }

    private let context: NIOSSLContext
    private let requirement: Requirement

    /// Accepts a chain that ends at a trusted authority, with the name of the server.
    ///
    /// - Parameters:
    ///   - url: the server's URL.
    ///   - address: the server's IP address behind a proxy; nil otherwise.
    ///   - authorities: the trusted authorities; nil for those that this machine trusts.
    /// - Throws: `NIOSSLError` for an authority that the TLS library cannot read.
    init(
        naming url: BaseURL,
        at address: AlternativeName?,
        under authorities: [Certificate]? = nil,
    ) throws {
        var configuration = Self.configuration
        if let authorities {
            configuration.trustRoots = .certificates(
                try authorities.map { try NIOSSLCertificate(bytes: $0.der, format: .der) }
            )
        }
        if address != nil { configuration.certificateVerification = .noHostnameVerification }
        context = try NIOSSLContext(configuration: configuration)
        requirement = address.map { .address($0, of: url) } ?? .name
    }

    /// Accepts only the certificate with this SHA-256.
    ///
    /// - Throws: `NIOSSLError` if the TLS library cannot be set up.
    init(certificate digest: SHA256Digest) throws {
        var configuration = Self.configuration
        configuration.certificateVerification = .noHostnameVerification
        // The handler verifies the certificate itself; parsing the system's authorities takes long.
        configuration.trustRoots = .certificates([])
        context = try NIOSSLContext(configuration: configuration)
        requirement = .certificate(digest)
    }

    private static var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }

    /// Returns the TLS handler of one connection.
    ///
    /// - Parameter serverName: the host name for SNI; nil for an IP address.
    /// - Returns: a handler that fails before the first request if the server cannot be verified.
    /// - Throws: `NIOSSLError` for an invalid name.
    func handler(showing serverName: String?) throws -> NIOSSLClientHandler {
        switch requirement {
        case .name:
            return try NIOSSLClientHandler(context: context, serverHostname: serverName)
        case .address(let address, let url):
            // NIOSSL has no public way to check a certificate after the library has verified its chain
            // and before anything is written.
            return try NIOSSLClientHandler._makeSSLClientHandler(
                context: context,
                serverHostname: nil,
            ) { certificate, channel in
                channel.eventLoop.makeCompletedFuture {
                    let shown = try? Certificate(der: certificate.toDERBytes())
                    guard shown?.hosts.contains(address) == true else {
                        throw ServerFailure.misnamed(url, names: shown?.hosts ?? [])
                    }
                }
            }
        case .certificate(let digest):
            return try NIOSSLClientHandler(
                context: context,
                serverHostname: serverName,
                customVerificationCallback: { chain, verdict in
                    let der = try? chain.first?.toDERBytes()
                    let isRight = der.map { SHA256Digest(of: $0) == digest } ?? false
                    verdict.succeed(isRight ? .certificateVerified : .failed)
                },
            )
        }
    }
}
