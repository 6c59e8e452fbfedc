import Synchronization

/// The names that requests may be meant for.
///
/// Links never come from the Host field; this stops a page of this server from being shown under
/// a name that someone else controls (DNS rebinding).
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

    /// Whether a request with this `Host` value, port and all, is for this server.
    package func allow(_ authority: String) -> Bool {
        guard let host = Self.host(of: authority) else { return false }
        return names.withLock { names in
            if names.contains(host) { return true }
            guard let dot = host.firstIndex(of: ".") else { return false }
            return names.contains("*" + host[dot...])
        }
    }

    /// The host without port and brackets, lower case; nil when it has no such form.
    package static func host(of authority: String) -> String? {
        // U+212A in lower case is a `k`, so what is not ASCII is refused before.
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

    /// RFC 9112 3.2.2: a server understands the form that proxies get.
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
