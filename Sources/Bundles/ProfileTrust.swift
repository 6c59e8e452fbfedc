/// The authority that signed a provisioning profile.
package enum ProfileTrust: Hashable, Sendable {
    /// Signed by Apple's authority for profiles, with a chain to a pinned Apple root.
    case apple
    /// Signed by an authority that the operator added; real devices refuse it.
    case privateAuthority(name: String)
    /// Unsigned, altered after signing, or signed by an unknown authority.
    case unverified(reason: String)

    package var isVerified: Bool {
        switch self {
        case .apple, .privateAuthority: true
        case .unverified: false
        }
    }
}

extension ProfileTrust: Codable {
    private enum Key: String, CodingKey { case kind, name, reason }
    private enum Kind: String, Codable { case apple, privateAuthority = "private", unverified }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self =
            switch try container.decode(Kind.self, forKey: .kind) {
            case .apple: .apple
            case .privateAuthority:
                .privateAuthority(name: try container.decode(String.self, forKey: .name))
            case .unverified:
                .unverified(reason: try container.decode(String.self, forKey: .reason))
            }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .apple:
            try container.encode(Kind.apple, forKey: .kind)
        case .privateAuthority(let name):
            try container.encode(Kind.privateAuthority, forKey: .kind)
            try container.encode(name, forKey: .name)
        case .unverified(let reason):
            try container.encode(Kind.unverified, forKey: .kind)
            try container.encode(reason, forKey: .reason)
        }
    }
}
