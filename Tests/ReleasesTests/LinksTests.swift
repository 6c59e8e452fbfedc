import Foundation
import Identifiers
import Releases
import TestSupport
import Testing

struct LinksTests {
    @Test(arguments: [
        ("https://a.example/x y", "https%3A%2F%2Fa.example%2Fx%20y"),
        ("a&b=c+d#e?f", "a%26b%3Dc%2Bd%23e%3Ff"), ("%20", "%2520"), ("é🦊", "%C3%A9%F0%9F%A6%8A"),
        ("\0\n\"'<>", "%00%0A%22%27%3C%3E"), ("A-z_0.9~", "A-z_0.9~"), ("", ""),
    ])
    func `everything but unreserved characters is escaped`(text: String, escaped: String) {
        #expect(InstallLink.percentEncoded(text) == escaped)
    }

    @Test func `the manifest's URL comes back out of the link whole`() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let tail = String(
                (0..<20).compactMap { _ in "ab &+#?%=é🦊\"'/;~".randomElement(using: &generator) }
            )
            let url = "https://example.com/" + tail
            let link = InstallLink.link(toManifest: url)
            #expect(link.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
            let parts = try #require(URLComponents(string: link))
            #expect(parts.scheme == "itms-services")
            #expect(
                parts.queryItems == [
                    URLQueryItem(name: "action", value: "download-manifest"),
                    URLQueryItem(name: "url", value: url),
                ]
            )
        }
    }

    @Test func `every link begins with the base URL`() throws {
        let links = Links(base: try BaseURL("https://example.com:8443/ota/"))
        let slug = try #require(Slug("browsey"))
        #expect(links.start == "https://example.com:8443/ota/")
        #expect(links.trust == "https://example.com:8443/ota/trust")
        #expect(links.app(slug) == "https://example.com:8443/ota/apps/browsey")
        #expect(
            links.app(slug, channel: .stable)
                == "https://example.com:8443/ota/apps/browsey?channel=stable"
        )
        #expect(links.history(slug) == "https://example.com:8443/ota/apps/browsey/history")
        #expect(
            links.release(ReleaseIdentifier(version: "1.0+2", build: "é"), of: slug)
                == "https://example.com:8443/ota/apps/browsey/1.0%2B2-~c3~a9"
        )
    }

    @Test func `what an installation fetches lies in one folder, without queries`() throws {
        let links = Links(base: try BaseURL("https://example.com"))
        let folder = links.install("capability")
        #expect(folder.manifest == "https://example.com/install/capability/manifest.plist")
        let urls = folder.manifestURLs(archiveName: "Browsey-2.4.0")
        #expect(urls.archive == folder.url + "/Browsey-2.4.0.ipa")
        #expect(urls.smallIcon == folder.url + "/icon-57.png")
        #expect(urls.largeIcon == folder.url + "/icon-512.png")
        #expect(
            folder.installLink()
                == "itms-services://?action=download-manifest&url=https%3A%2F%2Fexample.com"
                + "%2Finstall%2Fcapability%2Fmanifest.plist"
        )
    }
}
