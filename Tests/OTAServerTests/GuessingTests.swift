import Access
import Cryptography
import Enrolment
import Foundation
import OTAServer
import Releases
import Store
import Testing

/// Passphrases and codes that are guessed from changing addresses.
@Suite(.timeLimit(.minutes(10)))
struct GuessingTests {
    private static let words = "tabs in the dark"

    private static func run(
        _ body: @Sendable @escaping (TestSite) async throws -> Void
    )
        async throws
    {
        try await TestSite.run(
            configure: {
                $0.trustedProxies = ["127.0.0.1"]; _ = $1
            },
            body,
        )
    }

    private static func close(_ site: TestSite, with words: String) async throws {
        try site.store.changeApp(site.release.bundleIdentifier) { app in
            app.access = .passphrase
            app.passphrase = try PassphraseHash(words, cost: .least, random: randomBytes)
        }
        site.settle()
    }

    /// A browser: its cookies, and the form.
    private struct Browser {
        var cookies: [String]
        let code: String
        let address: String

        init(on site: TestSite, from address: String, cookies: [String] = []) async throws {
            let fields = ["X-Forwarded-For": address, "Cookie": cookies.joined(separator: "; ")]
            let page = try await WireClient.get(
                site,
                "/apps/demo-co",
                fields: cookies.isEmpty ? ["X-Forwarded-For": address] : fields,
            )
            self.address = address
            self.cookies = cookies
            if let field = page.fields["set-cookie"] {
                self.cookies.append(String(field.prefix { $0 != ";" }))
            }
            code = String(
                page.text.components(separatedBy: "name=\"form\" value=\"").last?
                    .prefix { $0 != "\"" } ?? ""
            )
        }

        func send(_ words: String, on site: TestSite) async throws -> WireResponse {
            let body = "form=\(code)&passphrase=\(words.replacing(" ", with: "+"))"
            return try await WireClient.secure(site) { client in
                try await client.send(
                    "POST /apps/demo-co HTTP/1.1\r\nHost: localhost\r\n"
                        + "Cookie: \(cookies.joined(separator: "; "))\r\n"
                        + "X-Forwarded-For: \(address)\r\n"
                        + "Content-Type: application/x-www-form-urlencoded\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                return try await client.response()
            }
        }

        func opened(by answer: WireResponse) throws -> String {
            let field = try #require(answer.fields["set-cookie"])
            return String(field.prefix { $0 != ";" })
        }
    }

    @Test func `guesses from ever new addresses end, and testers get in all the same`()
        async throws
    {
        try await Self.run { site in
            try await Self.close(site, with: "an earlier passphrase")
            let former = try await Browser(on: site, from: "192.0.2.9")
            let cookie = try former.opened(
                by: await former.send("an earlier passphrase", on: site)
            )
            try await Self.close(site, with: Self.words)

            // One site with many networks.
            var refused = 0
            for guess in 0..<30 {
                let address = "2001:db8:7:\(String(guess, radix: 16))::1"
                let stranger = try await Browser(on: site, from: address)
                let status = try await stranger.send("wrong \(guess)", on: site).status
                refused += status == 429 ? 1 : 0
            }
            #expect(refused == 10, "twenty of one site count in an hour")
            // Many sites.
            for guess in 0..<90 {
                let stranger = try await Browser(on: site, from: "10.\(guess).0.1")
                let status = try await stranger.send("wrong \(guess)", on: site).status
                refused += status == 429 ? 1 : 0
            }
            #expect(refused == 20, "a hundred of all count in an hour")

            // A browser that knew the passphrase before is not affected.
            let again = try await Browser(on: site, from: "192.0.2.9", cookies: [cookie])
            #expect(try await again.send(Self.words, on: site).status == 303)
            // A new browser gets a turn.
            let tester = try await Browser(on: site, from: "198.51.100.7")
            let waits = try await tester.send(Self.words, on: site)
            #expect(waits.status == 429)
            let wait = try #require(waits.fields["retry-after"].flatMap(Double.init))
            #expect(wait <= 120)
            site.clock.advance(by: wait + 1)
            #expect(try await tester.send(Self.words, on: site).status == 303)
        }
    }

    @Test func `codes can be typed while strangers guess them`() async throws {
        try await Self.run { site in
            let form = "application/x-www-form-urlencoded"
            func type(_ digits: String, from address: String) async throws -> WireResponse {
                let body = "code=\(digits)"
                return try await WireClient.secure(site) { client in
                    try await client.send(
                        "POST /enrol HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: \(address)\r\n"
                            + "Content-Type: \(form)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                            + body
                    )
                    return try await client.response()
                }
            }
            let issued = try site.invite()
            let wrong = issued.code.digits == "000000" ? "111111" : "000000"
            for guess in 0..<40 {
                _ = try await type(wrong, from: "10.\(guess / 5).0.1")
            }
            let waits = try await type(issued.code.digits, from: "198.51.100.7")
            #expect(waits.status == 429)
            let wait = try #require(waits.fields["retry-after"].flatMap(Double.init))
            #expect(wait < 600, "a code lives for a quarter of an hour")
            site.clock.advance(by: wait + 1)
            #expect(try await type(issued.code.digits, from: "198.51.100.7").status == 303)
        }
    }

    @Test func `a token that another process made works at once`() async throws {
        try await TestSite.run { site in
            let other = try OTAStore.open(at: site.folder.appending(path: "store").path())
            for _ in 0..<10 {
                // The server has just read the register, and has it in memory.
                _ = try await APIClient(site: site, secret: "ota_none").get("/apps")
                let token = try AdminClient.token(in: other)
                #expect(try await APIClient(site: site, secret: token).get("/apps").status == 200)
            }
        }
    }

    @Test func `a device that was known before cookies had a prefix is known still`() async throws {
        try await TestSite.run { site in
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site)
            try site.store.changeApp(site.release.bundleIdentifier) { $0.access = .enrolled }
            site.settle()
            let former = ana.cookie.replacing("__Host-", with: "")
            for cookie in [ana.cookie, former] {
                let page = try await WireClient.get(
                    site,
                    "/apps/demo-co",
                    fields: ["Cookie": cookie],
                )
                #expect(page.text.contains("itms-services"), "\(cookie.prefix(20))")
            }
        }
    }
}
