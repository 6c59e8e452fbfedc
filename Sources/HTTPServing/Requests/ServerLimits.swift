package import NIOCore

/// What one client may cost before the server turns it away.
package struct ServerLimits: Sendable {
    /// Bytes of request line and fields together; beyond is 431.
    package var headBytes = 16 * 1024
    /// Fields of a request; beyond is 431.
    package var fieldCount = 100
    /// Bytes of the request target; beyond is 414.
    package var targetBytes = 8 * 1024
    /// Open connections on one port; more wait in the backlog.
    package var connections = 12_000
    /// The same of one address, or of one network of IPv6 (/64); trusted proxies have no share.
    package var connectionsOfOneNetwork = 1000
    /// From the first byte of a head to its last, and for the TLS handshake.
    package var headTime = TimeAmount.seconds(10)
    /// Without a request.
    package var idleTime = TimeAmount.seconds(60)
    /// Bytes per second that a body brings at least, over every ``bodyPace``; over every ``idleTime``
    /// where its length has no limit, which may come as slowly as it needs beyond that.
    package var bodyRate = 1024
    package var bodyPace = TimeAmount.seconds(20)
    /// From the head of a request to the end of its body, where its length has a limit.
    package var bodyTime = TimeAmount.minutes(2)
    /// Without a byte of a response leaving: a phone that went out of reach.
    package var stallTime = TimeAmount.minutes(5)
    /// How long running downloads may continue after the signal to stop; the rest of the 30 seconds that
    /// are documented is for writing down what became of them.
    package var shutdownTime = Duration.seconds(28)

    /// The limits that the documentation names.
    package init() {}
}
