package import Cryptography

/// How a client verifies the server.
package enum ServerTrust: Sendable {
    /// The authorities that this machine trusts.
    case system
    /// Only these authorities; at least one.
    case authorities([Certificate])
    /// The SHA-256 of the server's certificate, or of an authority above it that the server presents.
    case fingerprint(SHA256Digest)
}
