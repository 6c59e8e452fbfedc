import Cryptography

extension Certificate {
    /// Whether one of the alternative names is this host (RFC 6125 section 6.4).
    ///
    /// A wildcard stands for the whole leftmost label and nothing else.
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

    /// The digest of the signature where iOS no longer takes it.
    var weakSignatureDigest: String? {
        Self.weakAlgorithms.first { signatureAlgorithm.elementsEqual($0.oid) }?.name
    }

    /// Content octets of the OID in the second element of Certificate (RFC 5280 section 4.1).
    private var signatureAlgorithm: ArraySlice<UInt8> {
        guard let outer = DERElement(der[...]), let body = DERElement(outer.content),
            let algorithm = DERElement(body.rest), let oid = DERElement(algorithm.content)
        else { return [] }
        return oid.content
    }

    private static let weakAlgorithms: [(oid: [UInt8], name: String)] = [
        ([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x04], "MD5"),
        ([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x05], "SHA-1"),
        ([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01], "SHA-1"),
    ]
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

/// One element of a certificate that was already read: its content and what follows it.
private struct DERElement {
    let content: ArraySlice<UInt8>
    let rest: ArraySlice<UInt8>

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 2 else { return nil }
        let first = bytes[bytes.startIndex + 1]
        var start = bytes.startIndex + 2
        var length = Int(first)
        if first >= 0x80 {
            let size = Int(first & 0x7f)
            guard (1...4).contains(size), bytes.endIndex - start >= size else { return nil }
            length = bytes[start..<start + size].reduce(0) { $0 << 8 | Int($1) }
            start += size
        }
        guard bytes.endIndex - start >= length else { return nil }
        content = bytes[start..<start + length]
        rest = bytes[(start + length)...]
    }
}
