/// Waits until every port is bound, because links contain the port number.
package actor PortBindings {
    /// The bound port numbers, and the responder that answers there.
    package struct Ports: Sendable {
        package let secure: Int
        package let plain: Int?
        package let responder: RouteResponder
    }

    /// Answers requests once all ports are bound and the routes are set up.
    package nonisolated let responder: RouteResponder
    private var missing: Int
    private var secure = 0
    private var plain: Int?
    private let whenBound: @Sendable (Ports) async -> Void

    /// - Parameters:
    ///   - ports: the number of ports.
    ///   - waiting: the executor of routes that may block; nil for the threads of connections.
    ///   - whenBound: called once, when the last port is bound.
    package init(
        ports: Int,
        waiting: WaitingExecutor? = nil,
        whenBound: @escaping @Sendable (Ports) async -> Void,
    ) {
        missing = ports
        responder = RouteResponder(waiting: waiting)
        self.whenBound = whenBound
    }

    /// Records the number of a port that was bound.
    package func bound(_ port: Int, secure isSecure: Bool) async {
        if isSecure { secure = port } else { plain = port }
        missing -= 1
        if missing == 0 {
            await whenBound(Ports(secure: secure, plain: plain, responder: responder))
        }
    }
}
