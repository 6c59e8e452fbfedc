/// The cookies that a browser stores from `Set-Cookie` and sends with page requests (RFC 6265 section 5).
///
/// Expiry dates are ignored, because a simulation ends long before them.
package struct CookieJar: Equatable, Sendable {
    private var cookies: [Cookie] = []

    package init() {}

    private struct Cookie: Equatable, Sendable {
        let name: String
        let value: String
        let host: String
        let isHostOnly: Bool
        let path: String
        let isSecure: Bool
    }

    package var isEmpty: Bool { cookies.isEmpty }

    package var names: [String] { cookies.map(\.name) }

    /// Stores the cookie of a `Set-Cookie` field in a response from `address`; invalid fields are
    /// ignored, as in browsers.
    package mutating func take(_ field: String, from address: WebAddress) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map(Self.pair)
        guard let first = parts.first, let value = first.value, !first.name.isEmpty else { return }
        var attributes: [String: String] = [:]
        for part in parts.dropFirst() { attributes[part.name.lowercased()] = part.value ?? "" }
        let domain = attributes["domain"].map { $0.lowercased().drop { $0 == "." } } ?? ""
        guard domain.isEmpty || Self.matches(address.host, String(domain)) else { return }
        let path = attributes["path"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let cookie = Cookie(
            name: first.name,
            value: value,
            host: domain.isEmpty ? address.host : String(domain),
            isHostOnly: domain.isEmpty,
            path: path ?? address.folder,
            isSecure: attributes["secure"] != nil,
        )
        guard !cookie.isSecure || address.isSecure else { return }
        cookies.removeAll {
            $0.name == cookie.name && $0.host == cookie.host && $0.path == cookie.path
        }
        let isOver = attributes["max-age"].flatMap { Int($0) }.map { $0 <= 0 } ?? false
        if !isOver { cookies.append(cookie) }
    }

    /// The `Cookie` field of a request; nil when no cookie matches.
    package func field(for address: WebAddress) -> String? {
        let sent = cookies.filter { cookie in
            (cookie.isHostOnly
                ? cookie.host == address.host : Self.matches(address.host, cookie.host))
                && (address.isSecure || !cookie.isSecure)
                && Self.contains(cookie.path, address.path)
        }
        guard !sent.isEmpty else { return nil }
        return sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private static func pair(_ text: Substring) -> (name: String, value: String?) {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0.trimmingSpaces) }
        return (halves[0], halves.count > 1 ? halves[1] : nil)
    }

    private static func matches(_ host: String, _ domain: String) -> Bool {
        host == domain || (host.hasSuffix("." + domain) && domain.contains("."))
    }

    private static func contains(_ folder: String, _ path: String) -> Bool {
        path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
}

extension WebAddress {
    fileprivate var path: String { String(target.prefix { $0 != "?" }) }

    /// The default path (RFC 6265 section 5.1.4).
    fileprivate var folder: String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
