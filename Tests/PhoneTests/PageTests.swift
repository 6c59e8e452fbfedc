import Foundation
import NIOHTTP1
import Testing

@testable import Phone

@Suite(.serialized) struct PageTests {
    private static func page(_ html: String) -> InstallPageMarkup {
        InstallPageMarkup(html: Array(html.utf8))
    }

    @Test(
        arguments: [
            "<a href=\"itms-services://?action=a&amp;url=b\">",
            "<A CLASS=x HREF = 'itms-services://?action=a&#38;url=b'>",
            "<a href=itms-services://?action=a&url=b>",
            "<a\nhref=\"\n itms-services://?action=a&#x26;url=b \">",
            "<!-- <a href='itms-services://old'> --><a href='itms-services://?action=a&amp;url=b'>",
            "<script>var x = 'itms-services://?url=no'</script><a href='itms-services://?action=a&url=b'>",
            "<a href=\"itms-services&colon;//?action=a&amp;url=b\"><a href='itms-services://?url=second'>",
        ]
    )
    func `the first link of an anchor is taken`(html: String) {
        let page = Self.page(html)
        #expect(page.link == "itms-services://?action=a&url=b")
        #expect(page.origin == .anchor)
    }

    @Test func `a link elsewhere in the markup is taken`() {
        let html = "<button onclick=\"location='itms-services://?action=a&amp;url=b'\">"
        #expect(Self.page(html).link == "itms-services://?action=a&url=b")
        #expect(Self.page(html).origin == .markup)
    }

    @Test func `a whole link in a script is taken`() {
        let html = #"<script>go("itms-services:\/\/?action=a\u0026url=b")</script>"#
        #expect(Self.page(html).link == "itms-services://?action=a&url=b")
        #expect(Self.page(html).origin == .script)
    }

    @Test func `a link that a script puts together is not`() {
        let html = "<script>go('itms-services://?action=download-manifest&url=' + u)</script>"
        #expect(Self.page(html).link == nil)
        #expect(Self.page(html).origin == .scriptOnly)
        #expect(Self.page("<p>Nothing</p>").origin == .nowhere)
    }

    @Test func `a link built by scripts asks for the manifest's address`() async throws {
        var site = try TestSite()
        site.replies["GET /"] = { _ in .text("<html><script src=app.js></script></html>") }
        let outcome = try await install(from: site)
        #expect(outcome.fatal == [.linkScripted])
        #expect(outcome.attempt.failure?.fix?.contains("URL of the manifest") == true)
        site.replies["GET /"] = { _ in .text("<html></html>") }
        #expect(try await install(from: site).fatal == [.linkMissing])
        site.replies["GET /"] = { _ in ScriptedReply(status: .notFound) }
        #expect(try await install(from: site).fatal == [.pageStatus])
    }

    @Test func `a link is decoded once`() throws {
        let link = "itms-services://?action=download-manifest&url=https%3A%2F%2Fa.b%2Fx%2520y.plist"
        #expect(try ItmsServicesLink(link).manifest == "https://a.b/x%20y.plist")
        let swapped = "ITMS-Services:///?url=https://a.b/m.plist&action=download-manifest"
        #expect(try ItmsServicesLink(swapped).manifest == "https://a.b/m.plist")
    }

    @Test(
        arguments: [
            "itms-services://action=download-manifest", "itms-services://?action=x&url=https://a.b",
            "itms-services://?action=download-manifest",
            "itms-services://?action=download-manifest&url=%ZZ",
            "itms-services://?action=download-manifest&url=/manifest.plist",
            "itms-services://?action=download-manifest&url=https%3A%2F%2Fa.b%2Fx%20y.plist",
            "https://a.b/",
        ]
    )
    func `a link that iOS cannot use is refused`(link: String) {
        #expect(throws: ItmsServicesLink.Unreadable.self) { try ItmsServicesLink(link) }
    }

    @Test func `hostile pages are read to their end`() {
        let pieces = [
            "<!--", "<script", "href=", "itms-services:", "&#", "&amp", "\"", ">", "\u{0}",
        ]
        for first in pieces {
            for second in pieces {
                for third in pieces { _ = Self.page(first + second + third) }
            }
        }
        let links = String(repeating: "<a href='itms-services:", count: 5_000)
        #expect(Self.page(links).link != nil)
        #expect(Self.page(String(repeating: "href=", count: 20_000)).link == nil)
        #expect(Self.page(String(repeating: "itms-services:", count: 20_000)).link == nil)
    }

    @Test(
        arguments: [
            ("https://A.b", "https://a.b/"),
            ("https://a.b:8443/c?d=%20", "https://a.b:8443/c?d=%20"),
            ("http://[::1]:80/", "http://[::1]/"), ("https://a.b:443/#x", "https://a.b/"),
        ]
    )
    func `an address is taken apart and put together`(text: String, whole: String) {
        #expect(WebAddress(text)?.description == whole)
    }

    @Test(arguments: [
        "", "a.b", "ftp://a.b/", "https:///x", "https://a.b:0/", "https://a b/", "file:///x",
    ])
    func `what is no web address is none`(text: String) {
        #expect(WebAddress(text) == nil)
    }
}
