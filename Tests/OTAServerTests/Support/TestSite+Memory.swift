@testable import HTTPServing
import HTTPTypes
import NIOCore
import Pages
import SiteServices
import Testing

extension TestSite {
    /// The cached page for an anonymous client, no matter how old it is; nil for none.
    func kept(_ path: String, asking languages: String, cookie: String? = nil) -> String? {
        answers.answer(
            for: path,
            at: .now() - .hours(1),
            agent: { nil },
            languages: { languages },
            cookies: { cookie.map { [$0] } ?? [] },
        )
        .map { String(buffer: $0.body) }
    }

    /// Replaces the cached page for anonymous clients by a text.
    ///
    /// - Parameters:
    ///   - text: what the next client is sent.
    ///   - path: path of the page.
    ///   - tag: language tag of those clients.
    /// - Throws: an error if there is no such language.
    func keep(_ text: String, for path: String, in tag: String) throws {
        let language = try #require(Language(tag: tag))
        let visitor = path.hasPrefix("/apps/") && !path.hasSuffix("/history")
        answers.keep(
            CachedResponse(route: path, status: .ok, fields: [:], body: ByteBuffer(string: text)),
            for: path,
            variant: ResponseVariant(visitor ? Visitor(userAgent: "") : nil, in: language),
            lasting: .minutes(10),
        )
    }
}
