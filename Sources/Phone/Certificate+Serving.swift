import Cryptography

extension Certificate {
    /// Whether one of the alternative names matches the host (RFC 6125 section 6.4).
    ///
    /// A wildcard matches exactly one label, the leftmost.
    func covers(_ host: String) -> Bool {
        let wanted = AlternativeName(host)
        return hosts.contains { name in
            switch (name, wanted) {
            case (.address(let own), .address(let other)): own == other
            case (.dns(let own), .dns(let other)):
                Self.covers(own.lowercased(), other.lowercased())
            default: false
            }
        }
    }

    private static func covers(_ pattern: String, _ host: String) -> Bool {
        let host = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard pattern.hasPrefix("*.") else { return pattern == host }
        guard let dot = host.firstIndex(of: "."), dot != host.startIndex else { return false }
        let rest = pattern.dropFirst(2)
        return rest.contains(".") && host[host.index(after: dot)...] == rest
    }

    /// The hash algorithm of the signature if iOS no longer accepts it; else nil.
    var weakSignatureDigest: String? {
        switch signatureAlgorithm {
        case .md5WithRSA: "MD5"
        case .sha1WithRSA, .ecdsaWithSHA1: "SHA-1"
        default: nil
        }
    }
}

extension KeyKind {
    var isTooWeakForServers: Bool {
        switch self {
        case .rsa(let bits): bits < 2048
        case .ellipticCurve(let curve): !["P-256", "P-384", "P-521"].contains(curve)
        case .other: true
        }
    }
}
