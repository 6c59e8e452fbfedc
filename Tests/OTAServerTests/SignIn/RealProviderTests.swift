import APIDocuments
import Access
import Bytes
import Cryptography
import Foundation
import HTTPCalling
import OTAServer
import OpenID
import Releases
import Store
import Synchronization
import TestSupport
import Testing

/// Sign-in at a real provider: its pages, keys, tokens and logout, over its own TLS.
@Suite(.timeLimit(.minutes(10)), .enabled(if: RealProvider.python != nil))
struct RealProviderTests {
    /// A transport that a test sets after the server has started.
    private final class Late: CallTransport {
        let transport = Mutex<(any CallTransport)?>(nil)

        func answer(to request: CallRequest) async throws(CallTrouble) -> CallAnswer {
            guard let chosen = transport.withLock({ $0 }) else { throw .interrupted }
            return try await chosen.answer(to: request)
        }
    }

    /// A browser at the provider, which keeps cookies and reports redirects.
    private final class ProviderBrowser {
        private let client: CallClient
        private var cookies: [String: String] = [:]

        init(_ client: CallClient) { self.client = client }

        func open(_ url: String, form: [(String, String)]? = nil) async throws -> CallAnswer {
            var headers = ["cookie": cookies.map { "\($0)=\($1)" }.joined(separator: "; ")]
            if form != nil { headers["content-type"] = "application/x-www-form-urlencoded" }
            let answer = try await client.answer(
                to: CallRequest(
                    method: form == nil ? "GET" : "POST",
                    address: url,
                    headers: headers,
                    body: form.map { Array(FormText.text($0).utf8) },
                    longestAnswer: 1 << 20,
                    seconds: 30,
                )
            )
            if let set = answer.headers["set-cookie"]?.prefix(beforeByte: ";").split(
                atByte: "=",
                maxSplits: 1,
            ),
                set.count == 2
            {
                cookies[String(set[0])] = String(set[1])
            }
            return answer
        }
    }

    @Test func `a person signs in, the keys are replaced, and a sign-out reaches the provider`()
        async throws
    {
        let late = Late()
        try await TestSite.run(configure: { configuration, _ in configuration.providers = late }) {
            site in
            let base = site.addresses.baseURL.rawValue
            try await RealProvider.run(in: site.folder, for: base) { provider in
                let client = try CallClient(authorities: [provider.authority], connecting: 5)
                late.transport.withLock { $0 = client }
                try site.store.changeSignIn { register in
                    register.settings = SignInSettings(
                        issuer: try #require(IssuerURL(provider.issuer)),
                        clientID: "ota",
                        clientSecret: "of the tests",
                        name: "Canaille",
                        roleClaim: "groups",
                        grants: [RoleGrant(.admin, to: .claim("release-team"))],
                        scopes: ["groups"],
                        changed: Date(timeIntervalSince1970: 1_700_000_000),
                    )
                } recording: {
                    []
                }
                let browser = ProviderBrowser(client)
                let first = try await Self.signIn(site, provider, browser, isFirst: true)
                let page = try await first.get("/admin")
                #expect(page.status == 200)
                // Canaille does not say whether an address is verified, so the page shows the subject after
                // the name.
                #expect(page.text.contains("Ana Example (ana at 127.0.0.1"))
                // The server asks the provider again, with its refresh token.
                site.clock.advance(by: 601)
                #expect(try await first.get("/admin").status == 200)
                let kept = try #require(try site.store.personSessions().first)
                #expect(kept.confirmed > kept.opened)
                // From now on a new key signs.
                _ = try await browser.open(provider.issuer + "/rotate", form: [])
                let second = try await Self.signIn(site, provider, browser, isFirst: false)
                #expect(try await second.get("/admin").status == 200)
                // The provider's logout page accepts the ID token hint.
                let out = try await second.send("/admin/sign-out")
                let url = try #require(Self.refresh(in: out.text))
                #expect(url.hasPrefix(provider.issuer + "/oauth/end_session?id_token_hint="))
                let ended = try await browser.open(url)
                #expect(ended.status == 302)
                #expect(ended.headers["location"] == base + "/admin/sign-in")
                #expect(try await second.get("/admin").status == 303)
                // After a logout there, the provider asks for the password again.
                let begun = try await WireClient.get(site, "/sign-in")
                let asked = try await browser.open(begun.fields["location"] ?? "")
                #expect(asked.headers["location"]?.contains("code=") != true)
                try await Self.bear(provider, client)
            }
        }
    }

    /// Checks that the client gives up on a response that never ends, or never comes.
    private static func bear(_ provider: RealProvider, _ client: CallClient) async throws {
        for (path, reason) in [
            ("huge", SignInRefusal.Reason.answerTooLarge), ("slow", .tooSlow),
        ] {
            let issuer = try #require(IssuerURL("\(provider.issuer)/\(path)"))
            let hostile = OpenIDProvider(issuer, through: client, now: { Date() })
            do throws(SignInRefusal) {
                _ = try await hostile.metadata()
                Issue.record("\(path) was believed")
            } catch {
                #expect(error.reason == reason)
            }
        }
    }

    private static func signIn(
        _ site: TestSite,
        _ provider: RealProvider,
        _ browser: ProviderBrowser,
        isFirst: Bool,
    ) async throws -> AdminClient {
        let begun = try await WireClient.get(site, "/sign-in")
        let start = try #require(begun.fields["location"])
        var answer = try await browser.open(start)
        if isFirst {
            #expect(answer.headers["location"]?.hasSuffix("/login") == true)
            _ = try await browser.open(provider.issuer + "/login", form: [("login", "ana")])
            _ = try await browser.open(
                provider.issuer + "/auth/password",
                form: [("password", "correct horse")],
            )
            answer = try await browser.open(start)
        }
        let back = try #require(answer.headers["location"])
        #expect(back.hasPrefix(site.addresses.baseURL.rawValue + "/sign-in/callback?code="))
        #expect(back.contains("iss="))
        let cookie = (begun.fields["set-cookie"] ?? "").prefix { $0 != ";" }
        let finished = try await WireClient.get(
            site,
            String(back.dropFirst(site.addresses.baseURL.rawValue.count)),
            fields: ["Cookie": String(cookie)],
        )
        #expect(finished.status == 200, "\(finished.text)")
        return try AdminClient(site, after: finished)
    }

    /// The target of a page's automatic redirect.
    private static func refresh(in page: String) -> String? {
        page.firstMatch(of: /content="0; url=([^"]*)"/).map {
            String($0.output.1).replacing("&amp;", with: "&").replacing("&#x3D;", with: "=")
        }
    }
}
