import Foundation
import OTAServer
import PropertyLists
import Releases
import Store
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PageTests {
    @Test(arguments: [
        "/", "/apps/demo-co", "/apps/demo-co?channel=stable", "/apps/demo-co/1.2.0-34",
        "/apps/demo-co/history", "/trust", "/help",
    ])
    func `pages are strict about what they load and who keeps them`(path: String) async throws {
        try await TestSite.run { site in
            let page = try await WireClient.get(site, path)
            #expect(page.status == 200)
            #expect(page.fields["content-type"] == "text/html; charset=utf-8")
            #expect(page.fields["cache-control"] == "private, no-store")
            #expect(page.fields["x-content-type-options"] == "nosniff")
            #expect(page.fields["referrer-policy"] == "no-referrer")
            #expect(page.fields["x-robots-tag"]?.contains("noindex") == true)
            #expect(page.fields["strict-transport-security"] == nil, "its own authority")
            let policy = page.fields["content-security-policy"] ?? ""
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            let head = try await WireClient.get(site, path, method: "HEAD")
            #expect(head.status == 200)
            #expect(head.length == page.length)
            let again = try await WireClient.get(site, path)
            #expect(again.body == page.body, "the same from memory")
        }
    }

    @Test func `icons, codes and public files have their types and tags`() async throws {
        try await TestSite.run { site in
            let page = try await WireClient.get(site, "/apps/demo-co")
            let css = page.text.components(separatedBy: "href=\"").first {
                $0.hasPrefix("/public/ota.")
            }
            let path = String(css?.prefix { $0 != "\"" } ?? "")
            let expected = [
                (path, "text/css; charset=utf-8"), ("/favicon.ico", "image/svg+xml"),
                ("/apps/demo-co/icon.png", "image/png"),
                ("/apps/demo-co/1.2.0-34/icon.png", "image/png"),
                ("/robots.txt", "text/plain; charset=utf-8"),
            ]
            for (path, type) in expected {
                for _ in 0..<2 {
                    let file = try await WireClient.get(site, path)
                    #expect(file.status == 200, "\(path)")
                    #expect(file.fields["content-type"] == type)
                    let tag = try #require(file.fields["etag"])
                    let known = try await WireClient.get(
                        site,
                        path,
                        fields: ["If-None-Match": tag],
                    )
                    #expect(known.status == 304)
                    #expect(known.fields["etag"] == tag)
                }
            }
            let code = try await WireClient.get(site, "/apps/demo-co/qr.svg")
            #expect(code.fields["content-type"] == "image/svg+xml")
        }
    }

    @Test func `a link in a manifest opens its files, and no manifest anew`() async throws {
        try await TestSite.run { site in
            let path = try await InstallPath.follow(site)
            let folder = path.archive.split(separator: "/").dropLast().joined(separator: "/")
            #expect("/" + folder != path.folder)
            #expect(try await WireClient.get(site, path.folder + "/manifest.plist").status == 200)
            #expect(try await WireClient.get(site, "/\(folder)/icon-57.png").status == 200)
            #expect(try await WireClient.get(site, path.archive).status == 200)
            let next = try await WireClient.get(site, "/\(folder)/manifest.plist")
            #expect(next.status == 404, "links would renew themselves for ever")
        }
    }

    @Test func `the title that an admin gave is asked about and on every page`() async throws {
        try await TestSite.run { site in
            try site.store.changeApp(site.release.bundleIdentifier) { $0.title = "Team's Demo" }
            site.settle()
            let path = try await InstallPath.follow(site)
            let manifest = try await WireClient.get(site, path.folder + "/manifest.plist")
            let item = try #require(try PropertyList(reading: manifest.body)["items"]?.array?.first)
            #expect(item["metadata"]?["title"]?.string == "Team's Demo")
            let admin = try await AdminClient.admin(site)
            let release = "/admin/apps/demo-co/\(site.release.identifier)"
            for page in ["", "/devices", "/notes", "/withdraw"] {
                let text = try await admin.get(release + page).text
                #expect(text.contains("Team&#39;s Demo"), "\(page)")
                #expect(text.contains("Demo &amp; Co") == page.isEmpty, "\(page)")
            }
        }
    }

    @Test func `the manifest says what the release is`() async throws {
        try await TestSite.run { site in
            let path = try await InstallPath.follow(site)
            let manifest = try await WireClient.get(site, path.folder + "/manifest.plist")
            #expect(manifest.fields["content-type"] == "text/xml; charset=utf-8")
            let item = try #require(try PropertyList(reading: manifest.body)["items"]?.array?.first)
            let metadata = try #require(item["metadata"])
            #expect(metadata["bundle-identifier"]?.string == "com.example.demo")
            #expect(metadata["title"]?.string == "Demo & Co")
            for asset in item["assets"]?.array ?? [] {
                let url = try #require(asset["url"]?.string)
                #expect(url.hasPrefix(site.addresses.baseURL.rawValue + "/install/"))
                let file = String(url.dropFirst(site.addresses.baseURL.rawValue.count))
                #expect(try await WireClient.get(site, file).status == 200)
            }
        }
    }

    @Test func `what another process publishes shows within a second`() async throws {
        try await TestSite.run { site in
            for path in ["/", "/apps/demo-co"] {
                #expect(try await WireClient.get(site, path).text.contains("1.2.0"))
            }
            let other = try OTAStore.open(at: site.folder.appending(path: "store").path())
            try TestSite.publish(Array("newer".utf8), into: other, version: "1.3.0", build: "35")
            try await Task.sleep(for: .seconds(1))
            for path in ["/", "/apps/demo-co"] {
                #expect(try await WireClient.get(site, path).text.contains("1.3.0"))
            }
        }
    }

    @Test(arguments: [
        "/nothing", "/apps/other", "/apps/demo-co/9.9-9", "/apps/..", "/apps/%2e%2e/%2e%2e/keys",
        "/apps/demo-co?channel=nightly", "/apps/demo-co?channel=../x", "/apps/demo-co/%00",
        "/apps/a%2Fb", "/public/../store.json", "/public/nothing.css", "/install/x/manifest.plist",
        "/install/x/y.ipa", "/.git/config", "/store.json", "/apps//demo-co", "/apps/DEMO-CO",
        "/apps/demo-co/history?page=0", "/apps/demo-co/history?page=99", "/index.html",
        "/apps/%E2%80%AE", "/apps/demo-co/", "/apps/demo-co/1.2.0%5C34", "/keys/capability.key",
    ])
    func `what is not there is not found`(path: String) async throws {
        try await TestSite.run { site in
            let response = try await WireClient.get(site, path)
            #expect(response.status == 404, "\(path)")
            #expect(response.text.contains("Not found"))
        }
    }

    @Test func `looking is all that a page allows`() async throws {
        try await TestSite.run { site in
            for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
                let response = try await WireClient.get(site, "/apps/demo-co", method: method)
                #expect(response.status == 405)
                let allowed = method == "POST" ? "GET, HEAD" : "GET, HEAD, POST"
                #expect(response.fields["allow"] == allowed)
            }
        }
    }

    @Test func `an app that is not open shows nothing`() async throws {
        try await TestSite.run { site in
            try site.store.changeApp(site.release.bundleIdentifier) { $0.access = .enrolled }
            site.settle()
            let page = try await WireClient.get(site, "/apps/demo-co")
            #expect(page.status == 403)
            #expect(!page.text.contains("1.2.0"))
            #expect(try await !WireClient.get(site, "/").text.contains("demo-co"))
        }
    }

    @Test func `a base URL with a path works whether or not the proxy keeps it`() async throws {
        try await TestSite.run(configure: { configuration, _ in
            configuration.baseURL = try BaseURL("https://localhost/ota")
        }) { site in
            for path in ["/ota/apps/demo-co", "/apps/demo-co", "/ota/", "/"] {
                let page = try await WireClient.get(site, path)
                #expect(page.status == 200)
                let style = page.text.components(separatedBy: "href=\"")
                    .first { $0.hasPrefix("/ota/public/") }
                let file = String(style?.prefix { $0 != "\"" } ?? "")
                #expect(try await WireClient.get(site, file).status == 200)
            }
        }
    }
}
