package import NIOCore

/// The resources that one client may use before the server refuses it.
package struct ServerLimits: Sendable {
    /// Bytes of the request line and fields together; more are refused with 431.
    package var headBytes = 16 * 1024
    /// Fields of a request; more are refused with 431.
    package var fieldCount = 100
    /// Bytes of the request target; more are refused with 414.
    package var targetBytes = 8 * 1024
    /// Open connections on one port; others wait in the backlog.
    package var connections = 12_000
    /// Open connections of one address, or of one IPv6 network (/64); trusted proxies are exempt.
    package var connectionsOfOneNetwork = 1000
    /// The time from the first byte of a head to its last, and for the TLS handshake.
    package var headTime = TimeAmount.seconds(10)
    /// The time that a connection may be open without a request.
    package var idleTime = TimeAmount.seconds(60)
    /// The least bytes per second of a body, measured over every ``bodyPace``; over every ``idleTime`` if
    /// its length is not limited, in which case the total time is not limited either.
    package var bodyRate = 1024
    package var bodyPace = TimeAmount.seconds(20)
    /// The time from the head of a request to the end of its body, if the body's length is limited.
    package var bodyTime = TimeAmount.minutes(2)
    /// The time without a byte of a response leaving, as when a phone has lost its signal.
    package var stallTime = TimeAmount.minutes(5)
    /// How long running downloads may continue after the signal to stop; the rest of the documented 30
    /// seconds is for recording their outcome.
    package var shutdownTime = Duration.seconds(28)

    /// Creates the limits that the documentation names.
    package init() {}
}
