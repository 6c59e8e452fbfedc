import NIOHTTP1

/// Checks the head of each request of a connection against what the server supports: the method, the
/// host and the length of the body.
struct RequestHeadCheck {
    /// What an accepted head says about the request.
    struct Accepted {
        var hasBody = false
        var bodyPolicy = BodyPolicy.none
        /// Whether the connection closes after this request.
        var isLast = false
    }

    private let shared: ConnectionContext
    /// The host of the last accepted request; most connections use only one.
    private var acceptedHost: String?

    /// - Parameter shared: provides the hosts that the server answers for, and the policies of bodies.
    init(shared: ConnectionContext) {
        self.shared = shared
    }

    /// - Throws: ``RefusedRequest`` for an unknown method, an unknown host, a target that is neither a
    ///   path nor an absolute URL, and a `Content-Length` above the limit of the body's policy.
    mutating func check(_ head: HTTPRequestHead) throws(RefusedRequest) -> Accepted {
        var accepted = Accepted()
        switch head.method {
        case .GET, .HEAD, .POST, .PUT, .DELETE, .PATCH, .OPTIONS: break
        // The router answers with the methods that the path allows.
        case .TRACE: accepted.isLast = true
        default: throw .methodNotImplemented
        }
        if head.uri.hasPrefix("/") {
            try checkHost(head.headers.first(name: "host"))
        } else {
            guard let authority = HostNames.authority(ofAbsolute: head.uri) else {
                throw .malformed("an address that is not a path")
            }
            try checkHost(authority)
        }
        let isChunked = head.headers.contains(name: "transfer-encoding")
        let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
        guard isChunked || length > 0 else { return accepted }
        accepted.hasBody = true
        accepted.bodyPolicy = shared.bodies(head)
        if isChunked {
            accepted.isLast = true
        } else if let limit = accepted.bodyPolicy.limit, length > limit {
            throw .bodyTooLarge
        }
        return accepted
    }

    private mutating func checkHost(_ host: String?) throws(RefusedRequest) {
        guard isServed(host) else { throw .misdirected }
    }

    /// Returns whether the server answers for the value of a `Host` field.
    mutating func isServed(_ host: String?) -> Bool {
        // The decoder keeps trailing whitespace, which is not part of the value (RFC 9110 5.5).
        guard let host = host.map({ String($0.trimmed) }) else { return false }
        if host == acceptedHost { return true }
        guard shared.hosts.allow(host) else { return false }
        acceptedHost = host
        return true
    }
}
