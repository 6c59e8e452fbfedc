import Mirrors
package import NIOCore

/// What one client may cost before the server turns it away.
package struct ServerLimits: Sendable {
    /// Bytes of request line and fields together; beyond is 431.
    package var headBytes = 16 * 1024
    /// Fields of a request; beyond is 431.
    package var fieldCount = 100
    /// Bytes of the request target; beyond is 414.
    package var targetBytes = 8 * 1024
    /// Bytes of a request's body where a route does not say otherwise; beyond is 413.
    package var bodyBytes = 64 * 1024
    /// The same below `/api/` and `/admin/`, where lists and notes are sent; each address there has its
    /// own smaller limit.
    package var apiBodyBytes = 1024 * 1024
    /// The same below `/hooks/`: a git host tells of every commit that was pushed.
    package var hookBodyBytes = HookDelivery.sizeLimit
    /// Open connections on one port; more wait in the backlog.
    package var connections = 12_000
    /// The same of one address, or of one network of IPv6 (/64); trusted proxies have no share.
    package var connectionsOfOneNetwork = 1000
    /// From the first byte of a head to its last, and for the TLS handshake.
    package var headTime = TimeAmount.seconds(10)
    /// Without a request.
    package var idleTime = TimeAmount.seconds(60)
    /// Bytes per second that a body brings at least, over every ``bodyPace``; over every ``idleTime``
    /// where it is a build, which may come as slowly as it needs beyond that.
    package var bodyRate = 1024
    package var bodyPace = TimeAmount.seconds(20)
    /// From the head of a request to the end of its body, where it is not a build.
    package var bodyTime = TimeAmount.minutes(2)
    /// Bytes of bodies that are in memory at once, over all connections, and those of them that
    /// come from clients which have not proven who they are.
    package var bodiesInMemory = 64 << 20
    package var bodiesOfStrangers = 32 << 20
    /// Without a byte of a response leaving: a phone that went out of reach.
    package var stallTime = TimeAmount.minutes(5)
    /// How long running downloads may continue after the signal to stop; the rest of the 30 seconds that
    /// are documented is for writing down what became of them.
    package var shutdownTime = Duration.seconds(28)
    /// Between two signs of life of a stream of events, and the longest that one goes on behind the end
    /// of the right to it.
    package var eventBeat = Duration.seconds(20)
    package var listeners = ListenerLimits()

    package init() {}

    func bodyBytes(for target: String) -> Int {
        if target.contains("/hooks/") { return max(bodyBytes, hookBodyBytes) }
        let takesMore = target.contains("/api/") || target.contains("/admin/")
        return takesMore ? max(bodyBytes, apiBodyBytes) : bodyBytes
    }
}
