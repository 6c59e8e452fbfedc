import Cryptography

/// The hosts to reach without a proxy, as listed in `NO_PROXY`.
///
/// The entries, separated by commas or spaces, are `*` for all hosts, a name for itself and its
/// subdomains, optionally after a dot or `*.`, an address, or a network such as `10.0.0.0/8`. A port
/// after a name or an address restricts the entry to it. Names are not resolved: an address matches only
/// hosts given by address. Other entries are ignored, because the list is shared with programs that may
/// support more forms.
package struct ProxyExemptions: Sendable {
    fileprivate struct Entry: Sendable {
        enum Hosts: Sendable {
            case all
            case name(String)
            case network([UInt8], bits: Int)
        }

        let hosts: Hosts
        /// Nil for any port.
        var port: Int?
    }

    private let entries: [Entry]

    package init(_ list: String) {
        entries = list.lowercased().split { $0 == "," || $0.isWhitespace }.compactMap(Entry.init)
    }

    /// Whether to reach a host (an IPv6 address may be in brackets) without a proxy at a port.
    package func include(_ host: String, port: Int) -> Bool {
        let host = AlternativeName(host.filter { $0 != "[" && $0 != "]" })
        return entries.contains { entry in
            entry.hosts.contain(host) && entry.port ?? port == port
        }
    }
}

extension ProxyExemptions.Entry {
    /// Nil for an invalid entry.
    fileprivate init?(_ text: Substring) {
        if text == "*" {
            self.init(hosts: .all)
        } else if let network = Hosts(network: text) {
            self.init(hosts: network)
        } else if let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...]),
            let hosts = Hosts(network: text[..<colon]) ?? Hosts(name: text[..<colon])
        {
            self.init(hosts: hosts, port: Int(port))
        } else if let name = Hosts(name: text) {
            self.init(hosts: name)
        } else {
            return nil
        }
    }
}

extension ProxyExemptions.Entry.Hosts {
    /// Parses an address, in brackets or not, or a network; nil for anything else.
    init?(network text: Substring) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isBracketed = parts[0].hasPrefix("[") && parts[0].hasSuffix("]")
        let address = isBracketed ? parts[0].dropFirst().dropLast() : parts[0]
        guard case .address(let bytes) = AlternativeName(String(address)), parts.count <= 2 else {
            return nil
        }
        guard parts.count == 2 else {
            self = .network(bytes, bits: bytes.count * 8)
            return
        }
        guard parts[1].allSatisfy(\.isNumber), let bits = Int(parts[1]), bits <= bytes.count * 8
        else { return nil }
        self = .network(bytes, bits: bits)
    }

    /// Parses `example.org`, `.example.org`, `*.example.org` or `example.org.`; nil for anything that is
    /// not a name.
    init?(name text: Substring) {
        var name = text.hasPrefix("*.") ? text.dropFirst() : text
        if name.hasPrefix(".") { name.removeFirst() }
        if name.hasSuffix(".") { name.removeLast() }
        guard !name.isEmpty, !name.contains(where: { "*:/[]".contains($0) }) else { return nil }
        self = .name(String(name))
    }

    func contain(_ host: AlternativeName) -> Bool {
        switch (self, host) {
        case (.all, _): true
        case (.name(let name), .dns(let host)): host == name || host.hasSuffix(".\(name)")
        case (.network(let network, let bits), .address(let host)):
            host.count == network.count
                && host.indices.allSatisfy { index in
                    let left = 8 - min(max(bits - index * 8, 0), 8)
                    return host[index] >> left == network[index] >> left
                }
        case (.name, .address), (.network, .dns): false
        }
    }
}
