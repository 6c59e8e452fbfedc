import Bytes
import Cryptography
import HTTPServing
import HTTPTypes
import Hummingbird
import NIOCore
import Pages
import Releases
import SiteServices

/// The page and files by which a phone comes to trust the development authority.
struct TrustRoutes: Sendable {
    let site: Site
    let authority: @Sendable () -> Certificate?

    /// Answers `GET /trust`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let chrome = site.pages.chrome(for: request)
        guard let authority = authority() else {
            return site.pages.answer(
                status: .ok,
                title: chrome.words.text("trust.none.title"),
                message: chrome.words.text("trust.none.message"),
                chrome: chrome,
                route: "/trust",
            ).response(to: request)
        }
        let page = TrustPage(
            profileURL: "trust/authority.mobileconfig",
            startURL: site.links.start,
            authority: authority.subject.commonName ?? "ota development authority",
            fingerprint: Self.pairs(Hex.encode(authority.sha256.bytes)),
            chrome: chrome,
        )
        return try site.pages.answer(page, route: "/trust").response(to: request)
    }

    /// Answers `GET /trust/authority.mobileconfig`.
    @Sendable func profile(_ request: Request, _ context: RouteContext) async throws -> Response {
        guard let authority = authority() else { throw Refusal.notFound }
        var fields = ResponseFields.of(type: "application/x-apple-aspen-config", cache: "no-store")
        fields[.contentDisposition] = "attachment; filename=\"authority.mobileconfig\""
        return Response(
            status: .ok,
            headers: fields,
            body: ResponseBody(
                byteBuffer: ByteBuffer(
                    bytes: AuthorityProfile(
                        of: authority,
                        in: site.pages.chrome(for: request).words,
                    ).xml()
                )
            ),
        )
    }

    /// Answers `GET /trust/authority.pem`, for computers.
    @Sendable func certificate(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        guard let authority = authority() else { throw Refusal.notFound }
        return Response(
            status: .ok,
            headers: ResponseFields.of(type: "application/x-pem-file", cache: "no-store"),
            body: ResponseBody(byteBuffer: ByteBuffer(string: authority.pem)),
        )
    }

    /// Answers all other requests on the plain port: redirects to the same path at the base URL, whatever
    /// the Host field says.
    @Sendable func redirect(_ request: Request, _ context: RouteContext) async throws -> Response {
        let path = request.head.path ?? "/"
        var fields = ResponseFields.common
        fields[.location] = site.links.absolute(path.hasPrefix("/") ? path : "/")
        fields[.cacheControl] = "no-store"
        return Response(status: .temporaryRedirect, headers: fields)
    }

    private static func pairs(_ digits: String) -> String {
        let digits = Array(digits.uppercased())
        return stride(from: 0, to: digits.count, by: 2)
            .map { String(digits[$0..<min($0 + 2, digits.count)]) }.joined(separator: " ")
    }
}
