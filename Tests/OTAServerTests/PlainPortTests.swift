import Foundation
import OTAServer
import PropertyLists
import Releases
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PlainPortTests {
    @Test func `everything but trust goes to the base URL`() async throws {
        try await TestSite.run { site in
            for path in ["/", "/apps/demo-co", "/install/x/y.ipa", "/metrics", "//evil.example/"] {
                let response = try await WireClient.get(site, path, isSecure: false)
                #expect(response.status == 307)
                #expect(response.fields["location"] == site.addresses.baseURL.rawValue + path)
            }
            let forged = try await WireClient.get(
                site,
                "/",
                fields: ["Host": "127.0.0.1", "X-Forwarded-Host": "evil.example"],
                isSecure: false,
            )
            #expect(forged.fields["location"] == site.addresses.baseURL.rawValue + "/")
        }
    }

    @Test func `the authority comes as a configuration profile`() async throws {
        try await TestSite.run { site in
            let page = try await WireClient.get(site, "/trust", isSecure: false)
            #expect(page.status == 200)
            #expect(page.text.contains("trust/authority.mobileconfig"))
            let profile = try await WireClient.get(
                site,
                "/trust/authority.mobileconfig",
                isSecure: false,
            )
            #expect(profile.fields["content-type"] == "application/x-apple-aspen-config")
            let list = try PropertyList(reading: profile.body)
            #expect(list["PayloadType"]?.string == "Configuration")
            let root = try #require(list["PayloadContent"]?.array?.first)
            #expect(root["PayloadType"]?.string == "com.apple.security.root")
            #expect(root["PayloadContent"]?.data?.isEmpty == false)
            let secure = try await WireClient.get(site, "/trust/authority.mobileconfig")
            #expect(secure.body == profile.body, "the same over TLS, and the same each time")
        }
    }
}
