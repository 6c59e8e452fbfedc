package import HTTPTypes

/// Fields that say how a response may be used.
package enum ResponseFields {
    /// Fields of every response: no type sniffing, no indexing by search engines, no referrer that
    /// would reveal a capability.
    package static let common: HTTPFields = [
        .xContentTypeOptions: "nosniff",
        .referrerPolicy: "no-referrer",
        .robots: "noindex, nofollow",
    ]

    /// For pages: only this server's own style and script, never in a frame, never cached.
    package static func page(isTrustedByAll: Bool) -> HTTPFields {
        var fields = common
        fields[.contentType] = "text/html; charset=utf-8"
        fields[.cacheControl] = "private, no-store"
        fields[.contentSecurityPolicy] = contentSecurityPolicy
        fields[.crossOriginOpenerPolicy] = "same-origin"
        if isTrustedByAll { fields[.strictTransportSecurity] = "max-age=31536000" }
        return fields
    }

    /// For everything else, with its type and how it may be kept.
    package static func of(type: String, cache: String) -> HTTPFields {
        var fields = common
        fields[.contentType] = type
        fields[.cacheControl] = cache
        return fields
    }

    private static let contentSecurityPolicy = [
        "default-src 'none'", "style-src 'self'", "img-src 'self' data:", "script-src 'self'",
        "connect-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
    ].joined(separator: "; ")
}

extension HTTPField.Name {
    package static let referrerPolicy = known("referrer-policy")
    package static let robots = known("x-robots-tag")
    static let crossOriginOpenerPolicy = known("cross-origin-opener-policy")
    package static let forwardedFor = known("x-forwarded-for")

    /// The names above are tokens, so the fallback is never taken.
    private static func known(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? .server
    }
}
