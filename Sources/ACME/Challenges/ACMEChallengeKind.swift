/// The ways in which a server can prove to an authority that it controls a host name.
package enum ACMEChallengeKind: String, Codable, CaseIterable, Sendable {
    /// A file over plain HTTP (RFC 8555 section 8.3).
    case http = "http-01"
    /// A certificate in a TLS handshake (RFC 8737).
    case tls = "tls-alpn-01"

    /// The port to which the authority connects.
    package var port: Int {
        switch self {
        case .http: 80
        case .tls: 443
        }
    }

    /// The option for the server's own port.
    var option: String {
        switch self {
        case .http: "--plain-port"
        case .tls: "--port"
        }
    }
}
