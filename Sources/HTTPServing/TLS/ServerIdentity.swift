package import Cryptography
package import Foundation
import NIOSSL

/// A certificate chain with the key of its first certificate.
package struct ServerIdentity: Sendable {
    /// Never empty.
    package let chain: [Certificate]
    package let key: PrivateKey

    /// - Parameters:
    ///   - chain: the server's certificate first, then the issuers.
    ///   - key: the key of the first certificate.
    package init(chain: [Certificate], key: PrivateKey) {
        self.chain = chain
        self.key = key
    }

    /// The host names and addresses that the certificate is valid for.
    package var names: [String] { chain.first?.alternativeNames ?? [] }

    /// Checks the chain as a phone would.
    ///
    /// - Parameters:
    ///   - host: the host that a phone connects to.
    ///   - date: the current time.
    ///   - roots: the roots, one of which must have signed the last certificate unless that is
    ///     self-issued.
    /// - Throws: the first ``CertificateProblem``.
    package func check(
        for host: String,
        at date: Date,
        roots: @autoclosure () -> SystemRoots,
    ) throws(CertificateProblem) {
        guard let leaf = chain.first else { throw .noCertificate(path: "") }
        guard key.matches(leaf) else { throw .keyDoesNotMatch }
        guard !leaf.isAuthority || leaf.isSelfIssued else { throw .authorityAsLeaf }
        for (index, pair) in zip(chain, chain.dropFirst()).enumerated()
        where !pair.0.isSigned(by: pair.1) {
            throw .wrongOrder(position: index + 2)
        }
        for certificate in chain {
            guard date >= certificate.notBefore else { throw .notYetValid(certificate.notBefore) }
            guard date <= certificate.notAfter else { throw .expired(certificate.notAfter) }
        }
        guard HostNames(names).allow(host) else { throw .wrongHost(host, names: names) }
        if let last = chain.last, !last.isSelfIssued, !roots().signed(last) {
            throw .incomplete(missing: last.issuer.commonName ?? last.issuer.description)
        }
    }

    /// Returns the TLS context for new connections: TLS 1.2 and later, with these ALPN protocols.
    func context(
        speaking protocols: [String] = ["http/1.1"]
    ) throws(CertificateProblem) -> NIOSSLContext {
        do {
            let certificates = try chain.map {
                NIOSSLCertificateSource.certificate(
                    try NIOSSLCertificate(bytes: $0.der, format: .der)
                )
            }
            let key = try NIOSSLPrivateKey(bytes: Array(key.pem.utf8), format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: certificates,
                privateKey: .privateKey(key),
            )
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = protocols
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .unusable(reason: "\(error)")
        }
    }
}
