import Cryptography

/// The hosts that are reached without a proxy, as `NO_PROXY` lists them.
///
/// Between commas or spaces stand `*` for all hosts, a name for itself and the names below it, with or
/// without a dot or `*.` in front, an address, or a network as in `10.0.0.0/8`; a port behind a name
/// or an address confines it. Names are not resolved: an address covers what is called by it. What is
/// none of these covers nothing, as the list is shared with programs that may know more.
package struct ProxyExemptions: Sendable {
    fileprivate struct Entry: Sendable {
        enum Hosts: Sendable {
            case all
            case name(String)
            case network([UInt8], bits: Int)
        }

        let hosts: Hosts
        /// Nil for every port.
        var port: Int?
    }

    private let entries: [Entry]

    package init(_ list: String) {
        entries = list.lowercased().split { $0 == "," || $0.isWhitespace }.compactMap(Entry.init)
    }

    /// Whether a host, an IPv6 address in brackets or not, is reached without a proxy at a port.
    package func include(_ host: String, port: Int) -> Bool {
        let host = AlternativeName(host.filter { $0 != "[" && $0 != "]" })
        return entries.contains { entry in
            entry.hosts.contain(host) && entry.port ?? port == port
        }
    }
}

extension ProxyExemptions.Entry {
    /// Nil for what covers nothing.
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
    /// An address, in brackets or not, or a network; nil for anything else.
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

    /// `example.org`, `.example.org`, `*.example.org`, `example.org.`; nil for what is no name.
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
