import Synchronization

/// The host names that the server answers for.
///
/// Links are never built from the Host field. The check prevents a page of this server from being served
/// under a name that someone else controls (DNS rebinding).
package final class HostNames: Sendable {
    private let names: Mutex<Set<String>>

    /// - Parameter names: host names, addresses without brackets, and `*.example.org`.
    package init(_ names: some Sequence<String>) {
        self.names = Mutex(Set(names.map { $0.lowercased() }))
    }

    /// Replaces the names.
    package func replace(with names: some Sequence<String>) {
        let lowered = Set(names.map { $0.lowercased() })
        self.names.withLock { $0 = lowered }
    }

    /// Returns whether a request with this `Host` value, which may include a port, is for this server.
    package func allow(_ authority: String) -> Bool {
        guard let host = Self.host(of: authority) else { return false }
        return names.withLock { names in
            if names.contains(host) { return true }
            guard let dot = host.firstIndex(of: ".") else { return false }
            return names.contains("*" + host[dot...])
        }
    }

    /// Returns the host in lower case, without port and brackets; nil if the value is malformed.
    package static func host(of authority: String) -> String? {
        // U+212A lower-cases to `k`, so text that is not ASCII is refused first.
        guard authority.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let lowered = authority.lowercased()
        let host: Substring
        let tail: Substring
        if lowered.hasPrefix("[") {
            guard let bracket = lowered.firstIndex(of: "]") else { return nil }
            host = lowered[lowered.index(after: lowered.startIndex)..<bracket]
            tail = lowered[lowered.index(after: bracket)...]
        } else {
            let end = lowered.firstIndex(of: ":") ?? lowered.endIndex
            host = lowered[..<end]
            tail = lowered[end...]
        }
        guard !host.isEmpty, tail.isEmpty || isPort(tail) else { return nil }
        return host.hasSuffix(".") ? String(host.dropLast()) : String(host)
    }

    /// Returns the authority of an absolute-form target, which RFC 9112 3.2.2 requires servers to accept.
    static func authority(ofAbsolute uri: String) -> String? {
        for scheme in ["http://", "https://"] where uri.lowercased().hasPrefix(scheme) {
            let authority = uri.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
            return authority.contains("@") ? nil : String(authority)
        }
        return nil
    }

    private static func isPort(_ tail: Substring) -> Bool {
        tail.hasPrefix(":") && (tail.count == 1 || UInt16(tail.dropFirst()) != nil)
    }
}
