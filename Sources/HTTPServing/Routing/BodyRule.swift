package import NIOHTTP1

/// What bodies an address takes.
package enum BodyRule: Sendable {
    /// A form that anyone can send.
    case small
    /// A document or a form with lists in it; the address may have a smaller limit of its own.
    case large
    /// Up to so many bytes, and at least as many as ``small``.
    case atMost(Int)
    /// As much as the route counts; `isTaken` says of which requests it hands the body on with
    /// `Channel.takeBody`.
    case counted(isTaken: @Sendable (HTTPRequestHead) -> Bool)
}

/// What happens to the bodies of a port's requests, as its routes declare it.
package struct BodyRules: Sendable {
    private struct Pattern {
        /// Nil for a parameter.
        let parts: [Substring?]
        let rule: BodyRule

        func matches(_ target: [Substring]) -> Bool {
            zip(parts, target).allSatisfy { $0 == nil || $0 == $1 }
        }
    }

    /// By how many parts they have; those with more literal parts come first, as a router has it.
    private let patterns: [Int: [Pattern]]
    private let small: Int
    private let large: Int

    /// - Parameters:
    ///   - table: the port's routes.
    ///   - prefixes: what may stand in front of their addresses; empty for nothing.
    ///   - small: bytes of ``BodyRule/small``.
    ///   - large: bytes of ``BodyRule/large``.
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

    /// What happens to a request's body before any route is asked; addresses without a route take a
    /// small one.
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
