/// How an authority lets a server prove that it has a name.
package enum ACMEChallengeKind: String, Codable, CaseIterable, Sendable {
    /// A file over plain HTTP (RFC 8555 section 8.3).
    case http = "http-01"
    /// A certificate in a TLS handshake (RFC 8737).
    case tls = "tls-alpn-01"

    /// The port that the authority connects to.
    package var port: Int {
        switch self {
        case .http: 80
        case .tls: 443
        }
    }

    /// The option with the server's own port.
    var option: String {
        switch self {
        case .http: "--plain-port"
        case .tls: "--port"
        }
    }
}
