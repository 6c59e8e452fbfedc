import NIOSSL
import Synchronization

/// The certificates that prove control of a name to an ACME server that connects over TLS (RFC 8737).
package final class ChallengeCertificates: Sendable {
    /// The ALPN protocol of challenges, which only ACME servers offer.
    static let applicationProtocol = "acme-tls/1"

    private let contexts = Mutex<[String: NIOSSLContext]>([:])

    init() {}

    /// Presents a certificate in handshakes for `name` that offer ``applicationProtocol``.
    ///
    /// - Throws: ``CertificateProblem/unusable(reason:)`` for one that TLS refuses.
    package func show(
        _ identity: ServerIdentity,
        for name: String,
    ) throws(CertificateProblem) {
        let context = try identity.context(speaking: [Self.applicationProtocol])
        contexts.withLock { $0[name.lowercased()] = context }
    }

    /// Stops presenting the certificate for `name`.
    package func end(for name: String) {
        contexts.withLock { _ = $0.removeValue(forKey: name.lowercased()) }
    }

    /// Whether no challenge is under way, so that handshakes need not be parsed.
    var isEmpty: Bool { contexts.withLock { $0.isEmpty } }

    /// Returns the TLS context for a handshake; nil if it is not for one of these challenges.
    func context(for hello: ClientHello) -> NIOSSLContext? {
        guard hello.applicationProtocols.contains(Self.applicationProtocol),
            let name = hello.serverName
        else { return nil }
        return contexts.withLock { $0[name.lowercased()] }
    }
}
