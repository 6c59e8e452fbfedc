import API
import HTTPServing
import Mirrors
import NIOHTTP1

/// How much the bodies of requests may bring, and keep in memory.
package struct BodyLimits: Sendable {
    /// Bytes of a request's body where a route does not say otherwise; beyond is 413.
    package var bodyBytes = 64 * 1024
    /// The same below `/api/` and `/admin/`, where lists and notes are sent; each address there has its
    /// own smaller limit.
    package var apiBodyBytes = 1024 * 1024
    /// The same below `/hooks/`: a git host tells of every commit that was pushed.
    package var hookBodyBytes = HookDelivery.sizeLimit
    /// Bytes of bodies that are in memory at once, over all connections, and those of them that
    /// come from clients which have not proven who they are.
    package var bodiesInMemory = 64 << 20
    package var bodiesOfStrangers = 32 << 20

    /// The limits that the documentation names.
    package init() {}

    /// What happens to a request's body before any route is asked; where builds go, the route counts
    /// its bytes.
    ///
    /// A proxy may pass the base URL's path on or take it away.
    func policy(for head: HTTPRequestHead, takesUploads: Bool) -> BodyPolicy {
        guard takesUploads, Self.isForUploads(head.uri) else {
            return BodyPolicy(limit: bytes(for: head.uri), isTaken: false)
        }
        return BodyPolicy(limit: nil, isTaken: Self.bringsBuild(head))
    }

    private func bytes(for target: String) -> Int {
        if target.contains("/hooks/") { return max(bodyBytes, hookBodyBytes) }
        let takesMore = target.contains("/api/") || target.contains("/admin/")
        return takesMore ? max(bodyBytes, apiBodyBytes) : bodyBytes
    }

    /// Whether the request, which goes where builds do, brings bytes of one.
    private static func bringsBuild(_ head: HTTPRequestHead) -> Bool {
        guard head.method == .PATCH || head.method == .POST else { return false }
        let type = head.headers.first(name: "content-type")
        let hasBody =
            head.headers.contains(name: "transfer-encoding")
            || head.headers.first(name: "content-length").flatMap(Int.init) ?? 0 > 0
        return hasBody && !(head.method == .POST && UploadRoutes.isOffer(type))
    }

    private static func isForUploads(_ uri: String) -> Bool {
        let path = uri.prefix { $0 != "?" }
        return path.hasSuffix(UploadRoutes.path) || path.contains(UploadRoutes.path + "/")
    }
}
