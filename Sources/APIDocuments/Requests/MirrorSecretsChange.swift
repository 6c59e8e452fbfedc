/// Secrets that an admin sets; nil values stay as they are, and no answer contains any of them.
package struct MirrorSecretsChange: Codable, Sendable, Equatable {
    /// Takes the place of all variables of before.
    package var variables: [String: String]?
    /// Lines of `git credential-store`; empty for none.
    package var passwords: String?
    /// A private key for ssh; empty for none.
    package var sshKey: String?
    /// As in `known_hosts`.
    package var knownHosts: String?
    /// Authorities that https may trust, PEM; empty for the system's.
    package var authority: String?
    /// What webhooks are signed with; empty for none.
    package var hookSecret: String?

    package init() {}

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case variables, passwords, sshKey, knownHosts, authority, hookSecret
    }

    package var isEmpty: Bool { self == MirrorSecretsChange() }
}
