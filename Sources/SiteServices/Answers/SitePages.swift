import Bytes
import Cryptography
package import HTTPServing
package import HTTPTypes
import Hummingbird
import NIOCore
package import Pages

/// The site's templates and public files, ready to be sent.
package struct SitePages: Sendable {
    private let renderer: PageRenderer
    /// The path of the base URL.
    private let prefix: String
    private let fields: HTTPFields
    /// Fields of admin pages, whose forms need an `Origin`: browsers send `null` under `no-referrer`.
    private let adminFields: HTTPFields
    /// The chrome of every page.
    package let chrome: PageChrome
    private let paths: [String: String]
    /// The texts of testers' pages.
    package let catalogues: Catalogues
    private let guides: GuideTexts
    /// Responses by path, such as `/public/ota.5f3c….css`.
    package let publicAnswers: [String: CachedResponse]

    /// Loads the templates and public files.
    ///
    /// `prefix` is the base URL's path, for a server behind a proxy; `isTrustedByAll` says whether the
    /// server may send `Strict-Transport-Security`.
    package init(assets: Assets, prefix: String, isTrustedByAll: Bool) throws {
        catalogues = try Catalogues(assets: assets)
        guides = GuideTexts(assets)
        renderer = try PageRenderer(assets: assets, catalogues: catalogues)
        self.prefix = prefix
        fields = ResponseFields.page(isTrustedByAll: isTrustedByAll)
        var adminFields = fields
        adminFields[.referrerPolicy] = "same-origin"
        self.adminFields = adminFields
        var paths: [String: String] = [:]
        var answers: [String: CachedResponse] = [:]
        for (name, bytes) in assets.publicFiles {
            let digest = Hex.encode(SHA256Digest(of: bytes).bytes.prefix(8))
            let path = "/public/" + Self.versioned(name, digest)
            paths[name] = prefix + path
            let type = Self.type(of: name)
            answers[path] = Self.answer(bytes, type, digest, "public, max-age=31536000, immutable")
            answers["/public/" + name] = Self.answer(bytes, type, digest, "no-cache")
        }
        if let icon = answers["/public/icon.svg"] { answers["/favicon.ico"] = icon }
        answers["/robots.txt"] = Self.answer(
            Array("User-agent: *\nDisallow: /\n".utf8),
            "text/plain; charset=utf-8",
            "robots",
            "public, max-age=86400",
        )
        answers["/runner.py"] = Self.answer(
            AgentFile.bytes,
            "text/x-python; charset=utf-8",
            AgentFile.sha256.description,
            "no-cache",
        )
        publicAnswers = answers
        chrome = PageChrome(publicURL: { paths[$0] ?? "" }, helpURL: prefix + "/help")
        self.paths = paths
    }

    /// Returns the help page for testers.
    package func guide(_ chrome: PageChrome) -> GuidePage {
        GuidePage(guides, startURL: prefix + "/", chrome: chrome)
    }

    /// The path of the language switch.
    var languageURL: String { prefix + "/language" }

    /// Returns the path of a public file; empty if there is none of that name.
    package func publicURL(_ name: String) -> String { paths[name] ?? "" }

    /// Returns whether the client of a path expects JSON.
    package func isAPI(_ target: String) -> Bool {
        target.hasPrefix("/api/") || !prefix.isEmpty && target.hasPrefix(prefix + "/api/")
    }

    /// Renders a page as a response.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - status: the response's status.
    ///   - cookie: the value of `Set-Cookie`; nil for none.
    ///   - route: the pattern of the route, for metrics and the log.
    ///   - isForAdmins: whether the page gets the fields of admin pages.
    ///   - retryAfter: seconds after which the client may try again; nil for no such field.
    /// - Returns: the response.
    /// - Throws: ``BrokenTemplate`` for a template that cannot be used.
    package func answer(
        _ page: some Page,
        status: HTTPResponse.Status = .ok,
        cookie: String? = nil,
        route: String,
        isForAdmins: Bool = false,
        retryAfter: Int? = nil,
    ) throws -> CachedResponse {
        var fields = isForAdmins ? adminFields : fields
        if let cookie { fields[.setCookie] = cookie }
        fields[.retryAfter] = retryAfter.map { "\($0)" }
        if !isForAdmins {
            fields[.vary] = "Accept-Language, Cookie"
            fields[.contentLanguage] = page.chrome.words.language.tag
        }
        return CachedResponse(
            route: route,
            status: status,
            fields: fields,
            body: ByteBuffer(string: try renderer.html(page)),
        )
    }

    /// Returns a page with only a message, or plain text if the page cannot be rendered.
    package func answer(
        status: HTTPResponse.Status,
        title: String,
        message: String,
        problem: String? = nil,
        chrome: PageChrome? = nil,
        route: String,
    ) -> CachedResponse {
        let page = MessagePage(
            status: "\(status.code)",
            title: title,
            message: message,
            problem: problem,
            chrome: chrome ?? self.chrome,
        )
        do {
            return try answer(page, status: status, route: route)
        } catch {
            var fields = fields
            fields[.contentType] = "text/plain; charset=utf-8"
            let body = ByteBuffer(string: "\(title). \(message)\n")
            return CachedResponse(route: route, status: status, fields: fields, body: body)
        }
    }

    private static func answer(
        _ bytes: [UInt8],
        _ type: String,
        _ tag: String,
        _ cache: String,
    ) -> CachedResponse {
        var fields = ResponseFields.of(type: type, cache: cache)
        fields[.eTag] = "\"\(tag)\""
        if type.hasPrefix("image/svg") {
            fields[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'"
        }
        return CachedResponse(
            route: "/public/{file}",
            status: .ok,
            fields: fields,
            body: ByteBuffer(bytes: bytes),
        )
    }

    /// Inserts the digest, as in `ota.5f3c….css` for `ota.css`, so that new content has a new path.
    private static func versioned(_ name: String, _ digest: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "\(name).\(digest)" }
        return "\(name[..<dot]).\(digest)\(name[dot...])"
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "yaml": "application/yaml"
        case "woff2": "font/woff2"
        default: "application/octet-stream"
        }
    }
}
