import Bytes

/// Who a request came from, for the log.
enum ClientAddress {
    /// The peer, or what a trusted proxy says: the rightmost address that is not a trusted proxy's
    /// own, since everything left of it is the client's claim.
    static func of(peer: String, forwardedFor: String?, proxies: Set<String>) -> String {
        guard proxies.contains(peer), let forwardedFor else { return peer }
        let hops = forwardedFor.split(atByte: ",").map { String($0.trimmed) }
        return hops.last { !proxies.contains($0) } ?? peer
    }
}
