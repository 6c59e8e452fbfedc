import Foundation

/// The parts of an HTTP URL that a request needs.
package struct WebAddress: Hashable, Sendable {
    package let isSecure: Bool
    /// In lower case, without the brackets of an IPv6 address.
    package let host: String
    package let port: Int
    /// The encoded path and query, as in the request.
    package let target: String

    /// Parses an absolute `http` or `https` URL; invalid characters are not encoded.
    package init?(_ text: String) {
        guard let url = URL(string: text, encodingInvalidCharacters: false) else { return nil }
        self.init(url.absoluteURL)
    }

    /// Resolves the reference in a `Location` field.
    func following(_ reference: String) -> WebAddress? {
        guard let base = URL(string: description),
            let url = URL(string: reference, relativeTo: base)
        else { return nil }
        return WebAddress(url.absoluteURL)
    }

    private init?(_ url: URL) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = parts.encodedHost?.lowercased(), !host.isEmpty,
            (1...65_535).contains(parts.port ?? 1)
        else { return nil }
        isSecure = scheme == "https"
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        port = parts.port ?? (isSecure ? 443 : 80)
        let path = parts.percentEncodedPath
        target =
            (path.isEmpty ? "/" : path) + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    }
}

extension WebAddress: CustomStringConvertible {
    package var description: String {
        (isSecure ? "https://" : "http://") + authority + target
    }

    /// The host and, unless it is the default, the port.
    package var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    var isAddressLiteral: Bool {
        host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// The last component of the path, percent-decoded.
    var fileName: String {
        let path = target.prefix { $0 != "?" }
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        return last.removingPercentEncoding ?? last
    }
}
