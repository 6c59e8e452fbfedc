import NIOHTTP1

/// What every connection of a port shares.
struct ConnectionContext: Sendable {
    let limits: ServerLimits
    let hosts: HostNames
    let answers: ResponseCache
    let accessLog: AccessLog
    let proxies: Set<String>
    let shares: ConnectionShares
    /// Whether builds are uploaded here.
    let takesUploads: Bool
    /// What says so, for the target that was asked for as far as it is known.
    let refusals: @Sendable (RefusedRequest, String) -> CachedResponse

    var metrics: Metrics { accessLog.metrics }

    /// Bytes of a body before any route is asked; where builds go, the route counts them.
    ///
    /// A proxy may pass the base URL's path on or take it away.
    func bodyLimit(for uri: String) -> Int {
        isForUploads(uri) ? .max : limits.bodyBytes(for: uri)
    }

    /// Whether the request brings bytes of a build, which ``BodyIntake`` takes.
    func bringsBuild(_ head: HTTPRequestHead) -> Bool {
        guard head.method == .PATCH || head.method == .POST, isForUploads(head.uri) else {
            return false
        }
        let type = head.headers.first(name: "content-type")
        let hasBody =
            head.headers.contains(name: "transfer-encoding")
            || head.headers.first(name: "content-length").flatMap(Int.init) ?? 0 > 0
        return hasBody && !(head.method == .POST && UploadRoutes.isOffer(type))
    }

    private func isForUploads(_ uri: String) -> Bool {
        guard takesUploads else { return false }
        let path = uri.prefix { $0 != "?" }
        return path.hasSuffix(UploadRoutes.path) || path.contains(UploadRoutes.path + "/")
    }
}
