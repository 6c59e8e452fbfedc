/// The kinds of items that expire.
package enum ExpiringKind: String, Codable, Sendable, CaseIterable {
    case profile, certificate
    /// The server's TLS certificate.
    case serverCertificate = "server-certificate"
    case token, invitation

    /// The name within a sentence.
    package var title: String {
        switch self {
        case .profile: "profile"
        case .certificate: "certificate"
        case .serverCertificate: "server’s certificate"
        case .token: "token"
        case .invitation: "invitation"
        }
    }
}
