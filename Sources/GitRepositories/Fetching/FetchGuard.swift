package import Addresses
import Essentials

/// Decides at the time of a fetch whether the repository's server may be reached.
package struct FetchGuard: Sendable {
    let resolver: NameResolver
    /// The variables that name proxies: a proxy resolves the name and connects itself.
    let surroundings: [String: String]
    /// Whether addresses inside the server's own network are refused.
    let isPublicOnly: Bool

    /// - Parameters:
    ///   - resolver: resolves a name to addresses.
    ///   - surroundings: the variables that name proxies and their exemptions.
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

    /// Resolves the server's name, and checks each address.
    ///
    /// - Throws: ``GitFailure/insideName(_:at:_:)`` and ``GitFailure/insideAddress(_:)`` for an address
    ///   that must not be reached, ``GitFailure/tooOld`` for a git that cannot be restricted to addresses,
    ///   ``GitFailure/failed(_:status:said:)`` for a name without an address.
    package func route(to address: MirrorAddress) async throws -> FetchRoute {
        guard let host = address.host, !isProxied(address, host) else { return .unheld }
        if let literal = InternetAddress(literal: host) {
            guard literal.scope.isAllowed(private: !isPublicOnly) else {
                throw GitFailure.insideAddress(literal.scope.reason)
            }
            return .unheld
        }
        // Two parsers could read it as two addresses, or as a name with and without its trailing dot.
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
    /// Four numbers separated by dots, or an IPv6 address in brackets.
    fileprivate init?(literal host: String) {
        if host.hasPrefix("["), host.hasSuffix("]") {
            self.init(v6: host.dropFirst().dropLast())
        } else {
            self.init(v4: host)
        }
    }
}
