package import NIOHTTP1

/// The bodies that a route accepts.
package enum BodyRule: Sendable {
    /// A form that anyone can send.
    case small
    /// A document, or a form with lists in it; the route may apply a smaller limit itself.
    case large
    /// At most this many bytes, but at least as many as ``small``.
    case atMost(Int)
    /// A body whose length the route limits itself; `isTaken` returns whether the route reads the body of
    /// a request with `Channel.takeBody`.
    case counted(isTaken: @Sendable (HTTPRequestHead) -> Bool)
}

/// The body policies of a port, as its routes declare them.
package struct BodyRules: Sendable {
    private struct Pattern {
        /// Nil for a parameter.
        let parts: [Substring?]
        let rule: BodyRule

        func matches(_ target: [Substring]) -> Bool {
            zip(parts, target).allSatisfy { $0 == nil || $0 == $1 }
        }
    }

    /// Patterns by their number of parts; those with more literal parts come first, as in the router.
    private let patterns: [Int: [Pattern]]
    private let small: Int
    private let large: Int

    /// - Parameters:
    ///   - table: the port's routes.
    ///   - prefixes: the possible prefixes of the paths; an empty string for none.
    ///   - small: the limit of ``BodyRule/small`` in bytes.
    ///   - large: the limit of ``BodyRule/large`` in bytes.
    package init(of table: RouteTable, below prefixes: Set<String>, small: Int, large: Int) {
        self.small = small
        self.large = large
        var patterns: [Int: [Pattern]] = [:]
        for prefix in prefixes {
            for route in table {
                let parts = Self.parts(prefix + route.path).map { $0.hasPrefix("{") ? nil : $0 }
                patterns[parts.count, default: []].append(Pattern(parts: parts, rule: route.body))
            }
        }
        self.patterns = patterns.mapValues { patterns in
            patterns.sorted { $0.parts.count { $0 == nil } < $1.parts.count { $0 == nil } }
        }
    }

    /// Returns the policy for a request's body, before a route handles the request; a path without a
    /// route accepts a small body.
    package func policy(for head: HTTPRequestHead) -> BodyPolicy {
        let parts = Self.parts(head.uri.prefix { $0 != "?" })
        switch patterns[parts.count]?.first(where: { $0.matches(parts) })?.rule {
        case nil, .small: return BodyPolicy(limit: small, isTaken: false)
        case .large: return BodyPolicy(limit: max(small, large), isTaken: false)
        case .atMost(let limit): return BodyPolicy(limit: max(small, limit), isTaken: false)
        case .counted(let isTaken): return BodyPolicy(limit: nil, isTaken: isTaken(head))
        }
    }

    private static func parts(_ path: some StringProtocol) -> [Substring] {
        Substring(path).split(separator: "/")
    }
}
