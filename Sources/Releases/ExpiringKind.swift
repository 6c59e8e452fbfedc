/// What can end on a day.
package enum ExpiringKind: String, Codable, Sendable, CaseIterable {
    case profile, certificate
    /// What the server shows to phones.
    case serverCertificate = "server-certificate"
    case token, invitation

    /// As it stands in a sentence.
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
