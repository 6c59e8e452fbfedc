/// Waits until every port is bound, because links need to know the port.
actor PortBindings {
    struct Ports: Sendable {
        let secure: Int
        let plain: Int?
        let responder: RouteResponder
    }

    nonisolated let responder = RouteResponder()
    private var missing: Int
    private var secure = 0
    private var plain: Int?
    private let whenBound: @Sendable (Ports) async -> Void

    init(ports: Int, whenBound: @escaping @Sendable (Ports) async -> Void) {
        missing = ports
        self.whenBound = whenBound
    }

    func bound(_ port: Int, secure isSecure: Bool) async {
        if isSecure { secure = port } else { plain = port }
        missing -= 1
        if missing == 0 {
            await whenBound(Ports(secure: secure, plain: plain, responder: responder))
        }
    }
}
