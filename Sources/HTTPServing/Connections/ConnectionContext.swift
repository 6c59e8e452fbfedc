package import NIOHTTP1

/// State that all connections of a port share.
package struct ConnectionContext: Sendable {
    let limits: ServerLimits
    let hosts: HostNames
    let answers: ResponseCache
    let accessLog: AccessLog
    let proxies: Set<String>
    let shares: ConnectionShares
    let bodies: @Sendable (HTTPRequestHead) -> BodyPolicy
    let refusals: @Sendable (RefusedRequest, String) -> CachedResponse

    var metrics: Metrics { accessLog.metrics }

    /// - Parameters:
    ///   - limits: the limits per client.
    ///   - hosts: the hosts that the server answers for.
    ///   - answers: the responses cached in memory.
    ///   - accessLog: the log that every request is entered in.
    ///   - proxies: addresses of the proxies trusted to name the client's address.
    ///   - shares: the number of connections per network.
    ///   - bodies: returns the policy for the body of a request, before a route handles the request.
    ///   - refusals: returns the response to a refused request; its target may be incomplete or empty.
    package init(
        limits: ServerLimits,
        hosts: HostNames,
        answers: ResponseCache,
        accessLog: AccessLog,
        proxies: Set<String>,
        shares: ConnectionShares,
        bodies: @escaping @Sendable (HTTPRequestHead) -> BodyPolicy,
        refusals: @escaping @Sendable (RefusedRequest, String) -> CachedResponse,
    ) {
        self.limits = limits
        self.hosts = hosts
        self.answers = answers
        self.accessLog = accessLog
        self.proxies = proxies
        self.shares = shares
        self.bodies = bodies
        self.refusals = refusals
    }
}
