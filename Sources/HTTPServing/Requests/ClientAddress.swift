import Bytes

/// The address of the client that sent a request, for the log.
package enum ClientAddress {
    /// Returns the peer's address, or the one that a trusted proxy reports in `X-Forwarded-For`.
    ///
    /// That is the rightmost address other than a trusted proxy's; everything to the left of it is only
    /// the client's claim.
    package static func of(peer: String, forwardedFor: String?, proxies: Set<String>) -> String {
        guard proxies.contains(peer), let forwardedFor else { return peer }
        let hops = forwardedFor.split(atByte: ",").map(\.trimmed)
        guard let hop = hops.last(where: { !isProxy($0, among: proxies) }) else { return peer }
        // Other text counts as the proxy itself; otherwise every made-up value would be another client.
        return address(of: hop) ?? peer
    }

    private static func isProxy(_ hop: Substring, among proxies: Set<String>) -> Bool {
        proxies.contains(String(hop)) || address(of: hop).map(proxies.contains) == true
    }

    /// Returns the address alone; some proxies add the port, as in `192.0.2.1:4711` and
    /// `[2001:db8::1]:4711`.
    private static func address(of hop: Substring) -> String? {
        if hop.utf8.first == UInt8(ascii: "[") {
            return InternetText.address(hop.dropFirst().prefix(beforeByte: "]"))
        }
        let isWithPort = hop.utf8.count { $0 == UInt8(ascii: ":") } == 1
        return InternetText.address(isWithPort ? hop.prefix(beforeByte: ":") : hop)
    }
}
