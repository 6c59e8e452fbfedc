/// Secrets that an admin sets; nil leaves one unchanged, and no response contains any of them.
package struct MirrorSecretsChange: Codable, Sendable, Equatable {
    /// Replaces all variables.
    package var variables: [String: String]?
    /// Lines of `git credential-store`; empty for none.
    package var passwords: String?
    /// A private SSH key; empty for none.
    package var sshKey: String?
    /// In the format of `known_hosts`.
    package var knownHosts: String?
    /// The certificate authorities for HTTPS in PEM; empty for the system's.
    package var authority: String?
    /// The key for verifying webhooks from the git host; empty for none.
    package var hookSecret: String?

    package init() {}

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case variables, passwords, sshKey, knownHosts, authority, hookSecret
    }

    package var isEmpty: Bool { self == MirrorSecretsChange() }
}
