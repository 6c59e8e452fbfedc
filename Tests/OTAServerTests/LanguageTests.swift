import Foundation
import OTAServer
import Pages
import SiteServices
import TestSupport
import Testing

/// The language of a response, and how visitors choose another one.
@Suite(.timeLimit(.minutes(2)))
struct LanguageTests {
    private static func get(
        _ site: TestSite,
        _ path: String,
        asking accepted: String = "",
        cookie: String? = nil,
        isSecure: Bool = true,
    ) async throws -> WireResponse {
        var fields: [String: String] = accepted.isEmpty ? [:] : ["Accept-Language": accepted]
        fields["Cookie"] = cookie
        return try await WireClient.get(site, path, fields: fields, isSecure: isSecure)
    }

    private static func choose(
        _ site: TestSite,
        _ body: String,
        from sender: String = "same-origin",
        isSecure: Bool = true,
    ) async throws -> WireResponse {
        let post = { (client: WireClient) in
            try await client.send(
                "POST /language HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: \(sender)\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            return try await client.response()
        }
        return isSecure
            ? try await WireClient.secure(site, post) : try await WireClient.plain(site, post)
    }

    @Test(arguments: [
        "/", "/apps/demo-co", "/apps/demo-co?channel=stable", "/apps/demo-co/history", "/help",
        "/trust", "/enrol", "/nowhere",
    ])
    func `each visitor is answered in their language, also from memory`(path: String) async throws {
        try await TestSite.run { site in
            for _ in 0..<2 {
                for (accepted, tag) in [
                    ("de-CH, en;q=0.5", "de"), ("ja", "ja"), ("nl", "en"), ("zh-CN", "zh-Hans"),
                ] {
                    let page = try await Self.get(site, path, asking: accepted)
                    #expect(
                        page.text.contains("<html lang=\"\(tag)\" dir=\"ltr\">"),
                        "\(accepted)",
                    )
                    #expect(page.fields["content-language"] == tag)
                    #expect(page.fields["vary"] == "Accept-Language, Cookie")
                    #expect(page.text.contains("name=\"to\" value=\"\(path)\""))
                }
            }
        }
    }

    @Test(arguments: ["/", "/apps/demo-co", "/apps/demo-co/1.2.0-34", "/apps/demo-co/history"])
    func `a page is made once for each language, and only for those that were asked for`(
        path: String
    ) async throws {
        try await TestSite.run { site in
            #expect(site.kept(path, asking: "de") == nil)
            let german = try await Self.get(site, path, asking: "de-CH")
            #expect(site.kept(path, asking: "de") == german.text)
            #expect(site.kept(path, asking: "fr", cookie: "language=de") == german.text)
            #expect(site.kept(path, asking: "ja") == nil)
            let japanese = try await Self.get(site, path, asking: "ja")
            #expect(site.kept(path, asking: "ja") == japanese.text)
            #expect(site.kept(path, asking: "de") == german.text)

            // A text that no route returns, so a client that gets it was served from memory.
            try site.keep("kept", for: path, in: "de")
            #expect(try await Self.get(site, path, asking: "de").text == "kept")
            let chosen = try await Self.get(site, path, asking: "ja", cookie: "language=de")
            #expect(chosen.text == "kept")
            let other = try await Self.get(site, path, asking: "ja")
            #expect(other.fields["content-language"] == "ja")
        }
    }

    @Test(arguments: [true, false])
    func `a choice is remembered and counts more than the browser`(isSecure: Bool) async throws {
        try await TestSite.run { site in
            let chosen = try await Self.choose(
                site,
                "language=fr&to=/help",
                isSecure: isSecure,
            )
            #expect(chosen.status == 303)
            #expect(chosen.fields["location"] == "/help")
            let cookie = try #require(chosen.fields["set-cookie"])
            #expect(cookie.hasPrefix("language=fr; Max-Age=31536000; Path=/;"))
            let value = String(cookie.prefix { $0 != ";" })
            for _ in 0..<2 {
                let page = try await Self.get(
                    site,
                    "/help",
                    asking: "de",
                    cookie: "a=b; " + value,
                    isSecure: isSecure,
                )
                #expect(page.fields["content-language"] == "fr")
            }
            let unknown = try await Self.get(site, "/", asking: "de", cookie: "language=xx")
            #expect(unknown.fields["content-language"] == "de")
        }
    }

    @Test func `a choice leads to no other site, and comes from none`() async throws {
        try await TestSite.run { site in
            for path in [
                "//evil.example", "/%5Cevil.example", "https://evil.example", "", "/%0d%0aX:1",
            ] {
                let chosen = try await Self.choose(site, "language=ru&to=\(path)")
                #expect(chosen.status == 303)
                #expect(chosen.fields["location"] == "/", "\(path)")
            }
            let forged = try await Self.choose(site, "language=ru&to=/", from: "cross-site")
            #expect(forged.status == 403 && forged.fields["set-cookie"] == nil)
            let strange = try await Self.choose(site, "language=tlh&to=/")
            #expect(strange.status == 400 && strange.fields["set-cookie"] == nil)
        }
    }
}
