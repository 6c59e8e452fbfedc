import APIDocuments
import Access
import Administration
import Bytes
import Cryptography
import Foundation
import HTTPCalling
import OTAServer
import OpenID
import Releases
import Store
import TestSupport
import Testing

/// Sign-in settings by API and command, sign-in links for admins, and what responses keep secret.
@Suite(.timeLimit(.minutes(10)))
struct SignInActionTests {
    private static let given = """
        {"issuer": "https://id.example.com", "clientId": "ota-of-the-tests", "clientSecret": "hush-hush",
        "name": "Example ID", "roleClaim": "groups", "roles": [
        {"role": "admin", "person": "Ana@Example.com"},
        {"role": "publisher", "app": "demo-co", "claim": "release-team"}]}
        """

    @Test func `sign-in is set, shown without its secret, tried and removed by the API`()
        async throws
    {
        let provider = try StandInProvider()
        try await TestSite.run(configure: { configuration, _ in configuration.providers = provider }
        ) { site in
            let token = try AdminClient.token(in: site.store)
            func call(
                _ method: String,
                _ path: String,
                _ body: String? = nil,
            ) async throws
                -> WireResponse
            {
                try await Self.call(site, token, method, "/api/v1/sign-in" + path, body)
            }
            #expect(try await call("GET", "").status == 404)
            let set = try await call("PUT", "", Self.given)
            #expect(set.status == 200)
            #expect(!set.text.contains("hush") && set.text.contains("\"hasSecret\":true"))
            #expect(set.text.contains("com.example.demo") && set.text.contains("ana@example.com"))
            #expect(set.text.contains("/sign-in/back-channel-logout"))
            // The secret is kept only for the same client.
            let without = Self.given.replacingOccurrences(
                of: #""clientSecret": "hush-hush","#,
                with: "",
            )
            #expect(try await call("PUT", "", without).text.contains("\"hasSecret\":true"))
            let other = without.replacingOccurrences(of: "ota-of-the-tests", with: "another")
            #expect(try await call("PUT", "", other).text.contains("sign-in.no-secret"))
            let open = other.replacing("\"name\":", with: "\"publicClient\": true, \"name\":")
            #expect(try await call("PUT", "", open).text.contains("\"hasSecret\":false"))
            #expect(try await call("POST", "/test").text.contains("\"keys\":1"))
            var behaviour = StandInProvider.Behaviour()
            behaviour.metadata["issuer"] = .text("https://evil.example")
            provider.behaviour = behaviour
            let mixed = try await call("POST", "/test")
            #expect(mixed.status == 503 && mixed.text.contains("sign-in.other-issuer"))
            behaviour.metadata = ["token_endpoint": .text("http://id.example.com/token")]
            provider.behaviour = behaviour
            #expect(try await call("POST", "/test").text.contains("sign-in.insecure-address"))
            behaviour.metadata = ["jwks_uri": .null]
            provider.behaviour = behaviour
            #expect(try await call("POST", "/test").text.contains("sign-in.bad-answer"))
            behaviour.metadata = [:]
            behaviour.keys = [
                #"{"kty":"oct","kid":"one","k":"AAAA"}"#, #"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#,
            ]
            provider.behaviour = behaviour
            #expect(try await call("POST", "/test").text.contains("sign-in.unknown-key"))
            #expect(try await call("DELETE", "").status == 200)
            #expect(try await call("GET", "").status == 404)
            let events = try site.store.activity(count: 5).map(\.event)
            #expect(events.contains(.signInSet) && events.contains(.signInRemoved))
        }
    }

    @Test func `settings that could not work are refused, each in its own words`() async throws {
        try await TestSite.run { site in
            let token = try AdminClient.token(in: site.store)
            let refused: [(String, String, String)] = [
                ("https://id.example.com", "http://id.example.com", "bad-issuer"),
                ("https://id.example.com", "https://id.example.com/?x", "bad-issuer"),
                ("https://id.example.com", "https://a@id.example.com", "bad-issuer"),
                ("ota-of-the-tests", "a b", "bad-client"),
                ("hush-hush", "h\\nh", "bad-secret"),
                ("Example ID", " ", "bad-name"),
                ("Ana@Example.com", "Ana", "bad-role"),
                ("Ana@Example.com", "a@b@c", "bad-role"),
                (#""roleClaim": "groups","#, "", "bad-claim"),
                (#""role": "publisher""#, #""role": "admin""#, "bad-role"),
                (#", "claim": "release-team""#, "", "bad-role"),
            ]
            for (given, wrong, problem) in refused {
                let body = Self.given.replacingOccurrences(of: given, with: wrong)
                let answer = try await Self.call(site, token, "PUT", "/api/v1/sign-in", body)
                #expect(answer.status == 422, "\(wrong)")
                #expect(answer.text.contains("sign-in.\(problem)"), "\(wrong): \(answer.text)")
            }
            #expect(try site.store.signInSettings() == nil)
        }
    }

    @Test func `people are listed and signed out`() async throws {
        try await PeopleClient.run { people in
            let admin = try await people.signIn()
            let token = try AdminClient.token(in: people.site.store)
            let path = "/api/v1/sign-in/sessions"
            let list = try await Self.call(people.site, token, "GET", path, nil)
            #expect(list.text.contains("ana@example.com") && !list.text.contains("\"r0\""))
            let session = try #require(try people.site.store.personSessions().first).identifier
            #expect(!list.text.contains(session), "what opens pages is not listed")
            let gone = try await Self.call(
                people.site,
                token,
                "DELETE",
                path + "/000000000000",
                nil,
            )
            #expect(gone.status == 404)
            let ended = try await Self.call(
                people.site,
                token,
                "DELETE",
                path + "/" + session.prefix(12),
                nil,
            )
            #expect(ended.status == 200)
            people.site.settle()
            #expect(try await admin.get("/admin").status == 303)
        }
    }

    // Options: sign-in end: everywhere
    @Test func `testers are listed as such, left out, and signed out everywhere`() async throws {
        try await PeopleClient.run(testers: [TesterGrant(to: .everyone)]) { people in
            _ = try await people.signIn()
            for _ in 0..<2 {
                let begun = people.begun(
                    by: try await WireClient.get(people.site, "/sign-in/testers")
                )
                #expect(try await people.finish(begun).status == 303)
            }
            let token = try AdminClient.token(in: people.site.store)
            let path = "/api/v1/sign-in/sessions"
            func count(_ query: String, _ purpose: String) async throws -> Int {
                let list = try await Self.call(people.site, token, "GET", path + query, nil)
                return list.text.components(separatedBy: "\"purpose\":\"\(purpose)\"").count - 1
            }
            #expect(try await count("", "tester") == 2)
            #expect(try await count("", "admin") == 1)
            #expect(try await count("?admins=true", "tester") == 0)
            #expect(try await count("?admins=true", "admin") == 1)
            let one = try #require(
                try people.site.store.personSessions().first { $0.purpose == .tester }
            ).identifier.prefix(12)
            let program = try #require(Program(built: "ota"), "ota was not built beside the tests")
            let store = people.site.folder.appending(path: "store").path()
            let ended = try await program.run(
                ["sign-in", "end", String(one), "--everywhere", "--store", store],
                in: people.site.folder,
            )
            #expect(ended.status == 0, "\(ended.errors)")
            #expect(try people.sessionCount == 0)
            let last = try people.site.store.activity(count: 1).first
            #expect(last?.event == .signedOut && last?.detail == "everywhere")
        }
    }

    // Options: sign-in link: name
    @Test func `a link made on the machine signs an admin in once`() async throws {
        try await TestSite.run { site in
            let maker = Administrator(of: site.store, named: "root", clock: { site.clock.now })
            let base = site.addresses.baseURL
            func link() throws -> String {
                let url = try maker.makeSignInLink(for: "ana", at: base).url
                return String(url.dropFirst(base.rawValue.count))
            }
            let path = try link()
            for _ in 0..<2 {
                let page = try await WireClient.get(site, path)
                #expect(page.status == 200 && page.text.contains("ana"), "a look uses nothing up")
            }
            let foreign = ["Origin": "https://evil.example"]
            #expect(
                try await PeopleSessionTests.post(site, path, [:], fields: foreign).status == 403
            )
            let answer = try await PeopleSessionTests.post(site, path, [:])
            let admin = try AdminClient(site, after: answer)
            #expect(try await admin.get("/admin").text.contains("ana (by link)"))
            let again = try await PeopleSessionTests.post(site, path, [:])
            #expect(again.status == 410 && again.text.contains("sign-in.used-link"))
            // The same digits in upper case are the same link.
            let digits = path.suffix(64)
            let upper = path.dropLast(64) + digits.uppercased()
            let shouted = try await PeopleSessionTests.post(site, String(upper), [:])
            #expect(shouted.status == 410)
            let late = try link()
            site.clock.advance(by: 601)
            #expect(try await WireClient.get(site, late).status == 410)
            let last = path.last == "0" ? "1" : "0"
            #expect(try await WireClient.get(site, String(path.dropLast()) + last).status == 410)
            site.clock.advance(by: 3000)
            #expect(try await admin.get("/admin").status == 303, "for an hour")
            #expect(throws: SettingsRefusal.badLinkName("a b")) {
                try maker.makeSignInLink(for: "a b", at: base)
            }
            let log = try await site.logText()
            #expect(!log.contains(path.suffix(64)))
        }
    }

    private static func call(
        _ site: TestSite,
        _ token: String,
        _ method: String,
        _ path: String,
        _ body: String?,
    ) async throws -> WireResponse {
        try await WireClient.secure(site) { client in
            var head =
                "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
            if body != nil { head += "Content-Type: application/json\r\n" }
            let body = body ?? ""
            if !body.isEmpty || method == "POST" {
                head += "Content-Length: \(body.utf8.count)\r\n"
            }
            try await client.send(head + "\r\n" + body)
            return try await client.response()
        }
    }
}
