package import Cryptography
package import HTTPServing
import HTTPTypes
import NIOCore

/// A PNG that never changes under its digest.
package enum IconAnswer {
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
