/// Waits until every port is bound, because links need to know the port.
package actor PortBindings {
    /// The ports that were bound, and what answers there.
    package struct Ports: Sendable {
        package let secure: Int
        package let plain: Int?
        package let responder: RouteResponder
    }

    /// Answers requests as soon as all ports are bound and the routes are there.
    package nonisolated let responder: RouteResponder
    private var missing: Int
    private var secure = 0
    private var plain: Int?
    private let whenBound: @Sendable (Ports) async -> Void

    /// - Parameters:
    ///   - ports: how many there are.
    ///   - waiting: where routes run that may wait; nil for the threads of connections.
    ///   - whenBound: called once, when the last of them is bound.
    package init(
        ports: Int,
        waiting: WaitingExecutor? = nil,
        whenBound: @escaping @Sendable (Ports) async -> Void,
    ) {
        missing = ports
        responder = RouteResponder(waiting: waiting)
        self.whenBound = whenBound
    }

    /// Takes note of a port that was bound.
    package func bound(_ port: Int, secure isSecure: Bool) async {
        if isSecure { secure = port } else { plain = port }
        missing -= 1
        if missing == 0 {
            await whenBound(Ports(secure: secure, plain: plain, responder: responder))
        }
    }
}
