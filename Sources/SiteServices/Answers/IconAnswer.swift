package import Cryptography
package import HTTPServing
import HTTPTypes
import NIOCore

/// Responses with PNG icons, which are identified by their digest.
package enum IconAnswer {
    /// Returns the response with an icon, which browsers may cache for an hour.
    ///
    /// - Parameters:
    ///   - bytes: the PNG.
    ///   - digest: the SHA-256 of `bytes`, which becomes the entity tag.
    ///   - route: the pattern of the route, for metrics and the log.
    /// - Returns: the response.
    package static func make(
        _ bytes: [UInt8],
        _ digest: SHA256Digest,
        route: String,
    ) -> CachedResponse {
        var fields = ResponseFields.of(type: "image/png", cache: "private, max-age=3600")
        fields[.eTag] = "\"\(digest.description.prefix(32))\""
        return CachedResponse(
            route: route,
            status: .ok,
            fields: fields,
            body: ByteBuffer(bytes: bytes),
        )
    }
}
