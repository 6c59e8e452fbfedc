import Bytes
import NIOCore
package import Problems

/// An additional host that the server answers for: a name, `*.example.org`, or an address.
package struct ServedHost: Hashable, Sendable {
    /// The host in lower case, without brackets or a trailing dot.
    package let name: String

    /// - Throws: ``WrongHost``, also for text with a scheme, port or path: only hosts are compared.
    package init(_ text: String) throws(WrongHost) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .characters }
        guard !text.contains("://") else { throw .scheme }
        guard !text.contains(where: { "/?#".contains($0) }) else { throw .path }
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        if let address = InternetText.address(isBracketed ? text.dropFirst().dropLast() : text[...])
        {
            guard !isBracketed || address.contains(":") else { throw .name }
            name = address
            return
        }
        guard !text.contains(":") else { throw .port }
        var labels = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        if labels.last?.isEmpty == true { labels.removeLast() }
        let plain = labels.first == "*" ? labels.dropFirst() : labels[...]
        guard !plain.contains(where: { $0.contains("*") }), labels != ["*"] else {
            throw .wildcard
        }
        // Browsers parse a host that ends in a number as an IPv4 address, and this one is not a valid
        // address.
        guard !plain.isEmpty, plain.allSatisfy(Self.isLabel),
            plain.last?.allSatisfy(\.isNumber) == false,
            labels.joined(separator: ".").utf8.count <= 253
        else { throw .name }
        name = labels.joined(separator: ".")
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

/// The reason why a text is not a valid host.
package enum WrongHost: ReportableError, Hashable, Sendable {
    case empty, characters, scheme, path, port, wildcard, name

    package var description: String {
        let wrong =
            switch self {
            case .empty: "it is empty"
            case .characters: "it has a space, or a character beyond ASCII (write it in Punycode)"
            case .scheme: "it has a scheme"
            case .path: "it has a path"
            case .port: "it has a port, but only hosts are compared"
            case .wildcard: "a * may only replace the whole first label, as in *.example.org"
            case .name: "it is not a valid host name"
            }
        return "\(wrong); give only a host name or an address, such as ota.example.com, "
            + "*.example.org or 192.168.1.10"
    }
}

extension WrongHost {
    package var id: String { "host.malformed" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "give a host name or an address, such as ota.example.com" }
}

/// A proxy in front of the server that is trusted to name the client's address.
package struct ProxyAddress: Hashable, Sendable {
    /// The forms in which connections report the address: as given, and IPv4-mapped if the server listens
    /// on a dual-stack socket (RFC 4291 2.5.5.2).
    package let spellings: Set<String>

    /// - Throws: ``WrongProxyAddress`` for anything but a single IP address.
    package init(_ text: String) throws(WrongProxyAddress) {
        guard let address = InternetText.address(text[...]) else {
            let isBlock = text.split(separator: "/").first.map { InternetText.address($0) != nil }
            throw isBlock == true ? .block : .notAnAddress
        }
        spellings = address.contains(":") ? [address] : [address, "::ffff:\(address)"]
    }
}

/// The reason why a text is not the address of a proxy.
package enum WrongProxyAddress: ReportableError, Hashable, Sendable {
    case notAnAddress, block

    package var description: String {
        let form = "such as 127.0.0.1 or fd00::1, and repeat the option for each"
        return switch self {
        case .notAnAddress:
            "it is not an IP address; give the one that connections come from, \(form)"
        case .block: "blocks of addresses are not supported; give single addresses, \(form)"
        }
    }
}

extension WrongProxyAddress {
    package var id: String { "proxy-address.malformed" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "give a single address, such as 127.0.0.1" }
}

enum InternetText {
    /// Returns the canonical form of an IP address; nil for other text, and for an address with a zone.
    static func address(_ text: Substring) -> String? {
        guard !text.contains("%") else { return nil }
        return (try? SocketAddress(ipAddress: String(text), port: 0))?.ipAddress
    }
}
