import Foundation
import Phone
import TestSupport
import Testing

/// An install page that a tester keeps open: it loads the page, and listens for changes.
struct OpenPage: Sendable {
    let url: String
    private let cookie: String
    private let browser: Browser

    init(_ url: String, on phone: SimulatedPhone) throws {
        self.url = url
        let address = try #require(WebAddress(url))
        cookie = phone.cookies.field(for: address) ?? ""
        browser = try Browser(like: phone)
    }

    /// The page as it is now.
    func look() async throws -> Browser.Answer { try await browser.get(url, fields: fields) }

    /// Returns the text of the page as soon as `isSo` is true.
    func text(
        _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        where isSo: (String) -> Bool,
    ) async throws -> String {
        var text = ""
        try await eventually(within: .seconds(10), what, sourceLocation: sourceLocation) {
            text = try await look().text
            return isSo(text)
        }
        return text
    }

    /// Listens as the page's script does while `body` runs; a change must be reported by its end.
    func hears(
        _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        while body: () async throws -> Void,
    ) async throws {
        let stream = try await browser.listen(to: try await eventsURL(), fields: fields)
        defer { stream.send(SIGKILL) }
        while let line = await stream.line(), line != ": listening" {}
        try await body()
        var heard = false
        while !heard, let line = await stream.line() { heard = line == "event: changed" }
        #expect(heard, "\(what)", sourceLocation: sourceLocation)
    }

    private var fields: [String: String] { cookie.isEmpty ? [:] : ["Cookie": cookie] }

    private func eventsURL() async throws -> String {
        let parts = try await look().text.components(separatedBy: "data-events=\"").dropFirst()
        let path = String(try #require(parts.first).prefix { $0 != "\"" })
        let base = try #require(URL(string: url))
        let absolute = URL(string: path.replacing("&amp;", with: "&"), relativeTo: base)
        return try #require(absolute).absoluteString
    }
}
