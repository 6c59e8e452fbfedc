import NIOSSL
import Synchronization

/// The certificates that prove to an authority who has a name, while it asks over TLS (RFC 8737).
package final class ChallengeCertificates: Sendable {
    /// The protocol that only an authority names in its handshake.
    static let applicationProtocol = "acme-tls/1"

    private let contexts = Mutex<[String: NIOSSLContext]>([:])

    init() {}

    /// Shows a certificate in handshakes for `name` that name the protocol of challenges.
    ///
    /// - Throws: ``CertificateProblem/unusable(reason:)`` for one that TLS refuses.
    package func show(
        _ identity: ServerIdentity,
        for name: String,
    ) throws(CertificateProblem) {
        let context = try identity.context(speaking: [Self.applicationProtocol])
        contexts.withLock { $0[name.lowercased()] = context }
    }

    /// Ends that.
    package func end(for name: String) {
        contexts.withLock { _ = $0.removeValue(forKey: name.lowercased()) }
    }

    /// Whether no authority is expected, so that handshakes need not be read.
    var isEmpty: Bool { contexts.withLock { $0.isEmpty } }

    /// What answers a handshake; nil for one that asks for no challenge of ours.
    func context(for hello: ClientHello) -> NIOSSLContext? {
        guard hello.applicationProtocols.contains(Self.applicationProtocol),
            let name = hello.serverName
        else { return nil }
        return contexts.withLock { $0[name.lowercased()] }
    }
}
