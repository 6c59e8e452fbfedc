package import Addresses
import Essentials

/// Decides which machine a repository may be fetched from, at the time of the fetch.
package struct FetchGuard: Sendable {
    let resolver: NameResolver
    /// Where a proxy leads out of the network, it connects, and it resolves the name.
    let surroundings: [String: String]
    /// Whether addresses inside the server's own network are refused.
    let isPublicOnly: Bool

    /// - Parameters:
    ///   - resolver: finds the addresses of a name.
    ///   - surroundings: the variables that name proxies, and what goes past them.
    ///   - isPublicOnly: whether addresses inside the server's own network are refused.
    package init(
        resolver: @escaping NameResolver,
        surroundings: [String: String],
        isPublicOnly: Bool,
    ) {
        self.resolver = resolver
        self.surroundings = surroundings
        self.isPublicOnly = isPublicOnly
    }

    /// Finds the addresses of the server, and judges each of them.
    ///
    /// - Throws: ``GitFailure/insideName(_:at:_:)`` and ``GitFailure/insideAddress(_:)`` for what may
    ///   not be reached, ``GitFailure`` for a name without an address.
    package func route(to address: MirrorAddress) async throws -> FetchRoute {
        guard let host = address.host, !isProxied(address, host) else { return .unheld }
        if let literal = InternetAddress(literal: host) {
            guard literal.scope.isAllowed(private: !isPublicOnly) else {
                throw GitFailure.insideAddress(literal.scope.reason)
            }
            return .unheld
        }
        // Two readers could take it for two addresses, or for a name with and without its last dot.
        guard !Self.isAmbiguous(host) else {
            throw GitFailure.insideAddress("written in an ambiguous form")
        }
        let found = try await addresses(of: host)
        for address in found where !address.scope.isAllowed(private: !isPublicOnly) {
            throw GitFailure.insideName(host, at: "\(address)", address.scope.reason)
        }
        switch address.kind {
        case .file: return .unheld
        case .ssh: return FetchRoute(ssh: host, port: address.port, at: found)
        case .https:
            guard try await Git.holdsAddresses() else {
                guard !isPublicOnly else { throw GitFailure.tooOld }
                return .unheld
            }
            return FetchRoute(https: host, port: address.port ?? 443, at: found)
        }
    }

    private func addresses(of name: String) async throws -> [InternetAddress] {
        do {
            let found = try await resolver(name)
            guard !found.isEmpty else {
                throw NameResolutionFailure.noAddress("no name server has an address for it")
            }
            return found
        } catch let failure as NameResolutionFailure {
            throw GitFailure.failed("fetch", status: 128, said: "\(name): \(failure)")
        }
    }

    private func isProxied(_ address: MirrorAddress, _ host: String) -> Bool {
        guard address.kind == .https else { return false }
        func given(_ names: [String]) -> String? {
            names.lazy.compactMap { surroundings[$0] }.first { !$0.isEmpty }
        }
        guard given(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]) != nil else {
            return false
        }
        return !ProxyExemptions(given(["no_proxy", "NO_PROXY"]) ?? "")
            .include(host, port: address.port ?? 443)
    }

    private static func isAmbiguous(_ host: String) -> Bool {
        let labels = host.utf8.split(
            separator: UInt8(ascii: "."),
            omittingEmptySubsequences: false,
        )
        guard let last = labels.last?.first else { return true }
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(last) || host.hasPrefix("[")
    }
}

extension InternetAddress {
    /// Four numbers with dots, or an IPv6 address in brackets.
    fileprivate init?(literal host: String) {
        if host.hasPrefix("["), host.hasSuffix("]") {
            self.init(v6: host.dropFirst().dropLast())
        } else {
            self.init(v4: host)
        }
    }
}
