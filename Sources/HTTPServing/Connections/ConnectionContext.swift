package import NIOHTTP1

/// What every connection of a port shares.
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
    ///   - limits: what one client may cost.
    ///   - hosts: the hosts that the server answers for.
    ///   - answers: what is answered from memory.
    ///   - accessLog: where every request is entered.
    ///   - proxies: addresses whose word about the client's address is believed.
    ///   - shares: how many connections each network has.
    ///   - bodies: what happens to the body of a request that brings one, before any route is asked.
    ///   - refusals: what says that a request was refused, for the target that was asked for as far as
    ///     it is known.
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
