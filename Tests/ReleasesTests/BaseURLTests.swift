import Foundation
import Releases
import Testing

struct BaseURLTests {
    @Test(
        arguments: [
            ("https://ota.example.com", "https://ota.example.com", nil, ""),
            ("HTTPS://OTA.Example.COM/", "https://ota.example.com", nil, ""),
            ("https://ota.example.com:443", "https://ota.example.com", nil, ""),
            ("https://ota.example.com:8443/", "https://ota.example.com:8443", 8443, ""),
            ("https://mac-mini.local:65535", "https://mac-mini.local:65535", 65_535, ""),
            ("https://192.168.1.20:8443", "https://192.168.1.20:8443", 8443, ""),
            ("https://[FE80::1]:8443", "https://[fe80::1]:8443", 8443, ""),
            ("https://[::1]", "https://[::1]", nil, ""),
            ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example", nil, ""),
            ("https://example.com/Apps/ios//", "https://example.com/Apps/ios", nil, "/Apps/ios"),
            ("https://example.com/a..b", "https://example.com/a..b", nil, "/a..b"),
        ] as [(String, String, Int?, String)]
    )
    func `an absolute HTTPS URL is taken and made plain`(
        text: String,
        raw: String,
        port: Int?,
        path: String,
    ) throws {
        let url = try BaseURL(text)
        #expect((url.rawValue, url.port, url.path) == (raw, port, path))
        #expect(try BaseURL(url.rawValue) == url)
    }

    @Test(arguments: [
        ("http://example.com", MalformedBaseURL.Reason.notHTTPS), ("example.com", .notHTTPS),
        ("//example.com", .notHTTPS), ("javascript:alert(1)", .notHTTPS), ("", .notHTTPS),
        ("https://", .host), ("https:///apps", .host), ("https://:8443", .host),
        ("https://.example.com", .host), ("https://a..b", .host), ("https://[::1", .host),
        ("https://[example]", .host), ("https://[]", .host), ("https://exa%6dple.com", .host),
        ("https://a;b", .host), ("https://a'b", .host), ("https://a[b]", .host),
        ("https://" + String(repeating: "a", count: 64) + ".example", .host),
        ("https://example.com:", .port), ("https://example.com:0", .port),
        ("https://example.com:65536", .port), ("https://example.com:-1", .port),
        ("https://example.com:+443", .port), ("https://example.com:8443x", .port),
        ("https://[::1]8443", .port), ("https://user@example.com", .extraParts),
        ("https://user:pass@example.com", .extraParts), ("https://example.com?x", .extraParts),
        ("https://example.com#x", .extraParts), ("https://example.com\\@evil.com", .extraParts),
        ("https://example.com/\"><script>", .extraParts), ("https://example.com//apps", .path),
        ("https://example.com/../apps", .path), ("https://example.com/./apps", .path),
        ("https://example.com/%2e%2E/apps", .path), ("https://example.com/.%2e", .path),
        ("https://bücher.example", .characters), ("https://example.com/é", .characters),
        ("https://example.com/ a", .characters), ("https://example.com\n", .characters),
        ("https://example.com/\0", .characters),
        ("https://example.com/" + String(repeating: "a", count: 1024), .characters),
    ])
    func `anything else is refused with the reason`(
        text: String,
        reason: MalformedBaseURL.Reason,
    ) {
        let refusal = #expect(throws: MalformedBaseURL.self) { try BaseURL(text) }
        #expect(refusal?.text == text)
        #expect(refusal?.reason == reason)
    }

    @Test func `JSON carries it as a string and refuses another`() throws {
        let url = try BaseURL("https://example.com:8443/ota/")
        let text = try StoredJSON.text([url])
        #expect(text.contains("\"https://example.com:8443/ota\""))
        #expect(try StoredJSON.value([BaseURL].self, from: text) == [url])
        #expect(throws: MalformedBaseURL.self) {
            try StoredJSON.value([BaseURL].self, from: #"["http://example.com"]"#)
        }
    }

    @Test func `a refusal escapes what was typed`() throws {
        let refusal = try #require(throws: MalformedBaseURL.self) { try BaseURL("\u{1B}[31m") }
        #expect(!refusal.description.contains("\u{1B}"))
        #expect(refusal.description.hasPrefix("base URL "))
    }
}
