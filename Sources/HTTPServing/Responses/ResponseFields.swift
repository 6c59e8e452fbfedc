package import HTTPTypes

/// Response fields that restrict how browsers and search engines may use a response.
package enum ResponseFields {
    /// The fields of every response: no MIME sniffing, no indexing, and no referrer, which would reveal a
    /// capability URL.
    package static let common: HTTPFields = [
        .xContentTypeOptions: "nosniff",
        .referrerPolicy: "no-referrer",
        .robots: "noindex, nofollow",
    ]

    /// Returns the fields of pages: only this server's own style sheets and scripts, no framing, no
    /// caching.
    package static func page(isTrustedByAll: Bool) -> HTTPFields {
        var fields = common
        fields[.contentType] = "text/html; charset=utf-8"
        fields[.cacheControl] = "private, no-store"
        fields[.contentSecurityPolicy] = contentSecurityPolicy
        fields[.crossOriginOpenerPolicy] = "same-origin"
        if isTrustedByAll { fields[.strictTransportSecurity] = "max-age=31536000" }
        return fields
    }

    /// Returns the fields of other responses, with a media type and a `Cache-Control`.
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
