package import Cryptography
import NIOSSL
import Synchronization

/// The certificate for new connections; open ones keep the certificate that they started with.
package final class CurrentCertificate: Sendable {
    private struct State: Sendable {
        let identity: ServerIdentity
        let context: NIOSSLContext
    }

    private let current: Mutex<State>
    /// The certificates for ACME challenges that are under way.
    package let challenges = ChallengeCertificates()

    /// - Throws: ``CertificateProblem/unusable(reason:)`` if TLS rejects the certificate.
    package init(_ identity: ServerIdentity) throws(CertificateProblem) {
        current = Mutex(State(identity: identity, context: try identity.context()))
    }

    var context: NIOSSLContext { current.withLock { $0.context } }

    /// The certificate chain and key that are in use.
    package var identity: ServerIdentity { current.withLock { $0.identity } }

    /// The server's own certificate, which clients verify.
    package var certificate: Certificate? { current.withLock { $0.identity.chain.first } }

    /// The identity that signs configuration profiles for phones.
    package var signer: SigningIdentity? {
        let identity = current.withLock { $0.identity }
        return identity.chain.first.map {
            SigningIdentity(
                certificate: $0,
                key: identity.key,
                chain: Array(identity.chain.dropFirst()),
            )
        }
    }

    /// Uses another certificate for connections from now on.
    package func replace(with identity: ServerIdentity) throws(CertificateProblem) {
        let state = State(identity: identity, context: try identity.context())
        current.withLock { $0 = state }
    }
}
