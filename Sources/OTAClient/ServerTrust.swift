package import Cryptography

/// How a client recognises the server.
package enum ServerTrust: Sendable {
    /// The authorities that this machine trusts.
    case system
    /// These authorities and no others; at least one.
    case authorities([Certificate])
    /// The server's certificate itself, or an authority above it that the server shows, by SHA-256.
    case fingerprint(SHA256Digest)
}
