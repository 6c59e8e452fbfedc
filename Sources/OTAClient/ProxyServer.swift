import Addresses
import Bytes
import Cryptography
import Foundation
package import Problems
package import Releases

/// The proxy for a server, as the environment names it.
///
/// The rules are those of curl, and so of git, with one exception: without a port, the default port of the
/// scheme is used (80 or 443), as in Go, Python and Node; curl uses 1080, the port of SOCKS.
package struct ProxyServer: Hashable, Sendable {
    /// What is wrong with the URL; never the URL itself, which may contain a password.
    package enum Flaw: Sendable {
        case characters, scheme, socks, credentials, path, host, port
    }

    /// The environment variable that names the proxy.
    package let variable: String
    /// Without the brackets of an IPv6 address.
    let host: String
    let port: Int
    /// Whether connections to the proxy use TLS.
    let isSecure: Bool
    /// Name and password in the format of `Proxy-Authorization`; sent to the proxy only.
    let credentials: String?

    /// Returns the proxy that the environment names for a server.
    ///
    /// `https_proxy` takes precedence over `HTTPS_PROXY`, and that over `all_proxy` and `ALL_PROXY`; an
    /// empty variable counts as unset. Servers in `no_proxy` or `NO_PROXY` are reached directly; this
    /// machine has to be listed there like any other.
    ///
    /// - Returns: nil if the server is reached directly.
    /// - Throws: ``ServerFailure`` for an unusable URL.
    package static func leading(
        to server: BaseURL,
        in environment: [String: String],
    ) throws(ServerFailure) -> ProxyServer? {
        let given = { (names: [String]) in
            names.lazy
                .map { (name: $0, value: trimmed(environment[$0] ?? "")) }
                .first { !$0.value.isEmpty }
        }
        guard
            let named = given(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]),
            !ProxyExemptions(given(["no_proxy", "NO_PROXY"])?.value ?? "").include(
                server.host,
                port: server.port ?? 443,
            )
        else { return nil }
        do {
            return try ProxyServer(named.value, from: named.name)
        } catch {
            throw ServerFailure.proxy(.unusable(variable: named.name, error))
        }
    }

    /// Parses `[http://][name[:password]@]host[:port]`.
    private init(_ text: String, from variable: String) throws(Flaw) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), text.utf8.count <= 4096 else {
            throw .characters
        }
        let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
        switch scheme {
        case nil, "http": isSecure = false
        case "https": isSecure = true
        case let other? where other.hasPrefix("socks"): throw .socks
        default: throw .scheme
        }
        let rest = scheme.map { text.dropFirst($0.utf8.count + 3) } ?? text[...]
        // If a password contained a slash, the user name before it would become the host.
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        guard rest[end...].count <= 1 else { throw .path }
        let authority = rest[..<end]
        // The last one, so that no part of a password becomes the host.
        let at = authority.lastIndex(of: "@")
        credentials = try Self.credentials(authority[..<(at ?? authority.startIndex)])
        let place = at.map { authority[authority.index(after: $0)...] } ?? authority
        let address: BaseURL
        do {
            address = try BaseURL("https://\(place)")
        } catch {
            throw error.reason == .port ? .port : .host
        }
        let namesPort = place.contains(":") && !place.hasSuffix("]")
        // The parser treats 443 as the default port, which it is not here.
        port = address.port ?? (namesPort || isSecure ? 443 : 80)
        host = address.host.trimmingCharacters(in: ["[", "]"])
        self.variable = variable
    }

    private static func credentials(_ text: Substring) throws(Flaw) -> String? {
        guard !text.isEmpty else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = decoded(parts[0]), let password = decoded(parts.count > 1 ? parts[1] : ""),
            // Basic authentication allows neither colons in names nor control characters (RFC 7617, section
            // 2).
            !name.contains(UInt8(ascii: ":")),
            !(name + password).contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { throw .credentials }
        return Data(name + [UInt8(ascii: ":")] + password).base64EncodedString()
    }

    private static func decoded(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        var bytes = Array(parts[0].utf8)
        for part in parts.dropFirst() {
            guard part.count >= 2, let byte = Hex.decode(part.prefix(2)) else { return nil }
            bytes += byte + Array(part.dropFirst(2).utf8)
        }
        return bytes
    }

    private static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The name that the proxy's certificate must contain; nil for an IP address, which the TLS library
    /// takes from the connection.
    var serverName: String? {
        if case .address = AlternativeName(host) { nil } else { host }
    }
}

/// Describes the proxy without the user name and password.
extension ProxyServer: CustomStringConvertible {
    package var description: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "https" : "http")://\(host):\(port)"
    }
}

extension ProxyServer.Flaw: ReportableError {
    package var id: String { self == .socks ? "proxy.unsupported" : "proxy.malformed" }
    package var kind: Problem.Kind { self == .socks ? .unsupported : .invalid }
    package var fix: String {
        "give it as \(ProxyFailure.form); list servers that need no proxy in NO_PROXY"
    }

    package var description: String {
        switch self {
        case .characters: "it has spaces, or characters outside ASCII"
        case .scheme: "it begins with neither http:// nor https://"
        case .socks: "it speaks SOCKS, which ota does not"
        case .credentials: "its name or password has a lone %, a colon in the name, or a line break"
        case .path: "there is something after its host and port"
        case .host: "it has no usable host"
        case .port: "it has a port outside 1 to 65535"
        }
    }
}
