import Access
import Bundles
import Cryptography
import Foundation
import Identifiers
import NIOCore
import OTAServer
import Releases
import Store
import TestSupport
import Testing

/// Who can see what of an app that is not open to everyone.
@Suite(.timeLimit(.minutes(10)))
struct AppAccessTests {
    private static let pages = [
        "/apps/demo-co", "/apps/demo-co?channel=stable", "/apps/demo-co/1.2.0-34",
        "/apps/demo-co/history",
    ]
    private static let parts = [
        "/apps/demo-co/icon.png", "/apps/demo-co/1.2.0-34/icon.png", "/apps/demo-co/qr.svg",
        "/events?app=demo-co",
    ]

    private static func close(
        _ site: TestSite,
        _ access: AppRecord.Access,
        passphrase: String? = nil,
    ) async throws {
        try site.store.changeApp(site.release.bundleIdentifier) { app in
            app.access = access
            if let passphrase {
                app.passphrase = try PassphraseHash(passphrase, cost: .least, random: randomBytes)
            }
        }
        site.settle()
    }

    /// The status of a response that may stream for ever.
    private static func status(
        _ site: TestSite,
        _ path: String,
        cookie: String? = nil,
    ) async throws -> Int {
        try await WireClient.secure(site) { client in
            let field = cookie.map { "Cookie: \($0)\r\n" } ?? ""
            try await client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n")
            return try await client.responseHead().status
        }
    }

    private static func isOpen(_ site: TestSite, cookie: String?) async throws -> Bool {
        var statuses: [Int] = []
        for path in pages + parts {
            statuses.append(try await status(site, path, cookie: cookie))
        }
        let start = try await WireClient.get(
            site,
            "/",
            fields: cookie.map { ["Cookie": $0] } ?? [:],
        )
        let isNamed = start.text.contains("/apps/demo-co")
        let isOpen = statuses.allSatisfy { $0 == 200 }
        #expect(isNamed == isOpen)
        if !isOpen {
            #expect(statuses.prefix(pages.count).allSatisfy { $0 == 403 }, "\(statuses)")
            #expect(statuses.dropFirst(pages.count).allSatisfy { $0 == 404 }, "\(statuses)")
        }
        return isOpen
    }

    @Test func `an enrolled app is there for approved devices and nobody else`() async throws {
        try await TestSite.run { site in
            try await Self.close(site, .enrolled)
            let ana = try TestTester(TestTester.ana, of: site)
            #expect(try await !Self.isOpen(site, cookie: nil))
            #expect(try await !Self.isOpen(site, cookie: ana.cookie), "erased, or never there")
            try ana.join(site, approved: false)
            site.settle()
            let waiting = try await ana.get(site, "/apps/demo-co")
            #expect(waiting.status == 403)
            #expect(waiting.text.contains("Waiting for your team"))
            try ana.approve(site)
            site.settle()
            #expect(try await Self.isOpen(site, cookie: ana.cookie))
            #expect(try await !Self.isOpen(site, cookie: nil), "not from memory either")
            #expect(try await !Self.isOpen(site, cookie: ana.cookie + "0"), "forged")
            try ana.disable(site)
            site.settle()
            #expect(
                try await ana.get(site, "/apps/demo-co").text.contains(
                    "has disabled this device"
                )
            )
        }
    }

    @Test func `a stranger learns the name and how to enrol, and not what there is`() async throws {
        try await TestSite.run { site in
            try await Self.close(site, .enrolled)
            let page = try await WireClient.get(site, "/apps/demo-co")
            #expect(page.text.contains("Demo &amp; Co"))
            #expect(page.text.contains("/enrol"))
            for secret in ["1.2.0", "com.example", "itms-services", "/events"] {
                #expect(!page.text.contains(secret), "\(secret)")
            }
            let (there, absent) = ("/apps/demo-co/1.2.0-34", "/apps/demo-co/9.9-9")
            let answers = try await [
                WireClient.get(site, there), WireClient.get(site, absent),
            ]
            // The language switch returns to the path that the visitor requested.
            #expect(
                answers[0].text.replacing(there, with: "")
                    == answers[1].text.replacing(absent, with: ""),
                "no release is confirmed",
            )
            #expect(answers[0].status == answers[1].status)
        }
    }

    @Test func `an admin sees an app that is closed to testers`() async throws {
        try await TestSite.run { site in
            try await Self.close(site, .enrolled)
            var identifier = ""
            try site.store.changeTokens { register in
                identifier = try register.create(
                    name: "ana",
                    scopes: [Scope(.read)],
                    expires: nil,
                    at: site.clock.now,
                    random: randomBytes,
                ).token.identifier
            }
            let session = Session(
                kind: .admin,
                subject: identifier,
                expires: site.clock.now.addingTimeInterval(600),
            )
            let sessions = SessionAuthority(key: try site.store.sessionKey())
            let cookie = "__Host-ota_admin=" + sessions.value(of: try #require(session))
            #expect(try await Self.isOpen(site, cookie: cookie))
            try site.store.changeTokens { try $0.revoke("ana", at: site.clock.now) }
            site.settle()
            #expect(try await !Self.isOpen(site, cookie: cookie))
        }
    }

    // MARK: Passphrase

    private struct Form {
        let cookie: String
        let code: String

        init(_ page: WireResponse) throws {
            let field = try #require(page.fields["set-cookie"])
            #expect(field.contains("SameSite=Strict") && field.contains("HttpOnly"))
            cookie = String(field.prefix { $0 != ";" })
            let value = page.text.components(separatedBy: "name=\"form\" value=\"").dropFirst()
                .first
            code = String(try #require(value).prefix { $0 != "\"" })
        }

        func send(
            _ words: String,
            to path: String = "/apps/demo-co",
            code: String? = nil,
            cookie: String? = nil,
            on site: TestSite,
        ) async throws -> WireResponse {
            let body = "form=\(code ?? self.code)&passphrase=\(words.replacing(" ", with: "+"))"
            return try await WireClient.secure(site) { client in
                try await client.send(
                    "POST \(path) HTTP/1.1\r\nHost: localhost\r\n"
                        + "Cookie: \(cookie ?? self.cookie)\r\n"
                        + "Content-Type: application/x-www-form-urlencoded\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                return try await client.response()
            }
        }
    }

    @Test func `the passphrase opens the app until it is another one`() async throws {
        try await TestSite.run { site in
            try await Self.close(site, .passphrase, passphrase: "tabs in the dark")
            #expect(try await !Self.isOpen(site, cookie: nil))
            let form = try Form(try await WireClient.get(site, "/apps/demo-co"))
            let wrong = try await form.send("tabs in the light", on: site)
            #expect(wrong.status == 403)
            #expect(wrong.text.contains("Wrong passphrase."))
            #expect(wrong.fields["set-cookie"]?.contains("ota_app_") != true)
            let path = "/apps/demo-co?channel=stable"
            let right = try await form.send("tabs in the dark", to: path, on: site)
            #expect(right.status == 303)
            #expect(right.fields["location"] == site.addresses.baseURL.rawValue + path)
            let field = try #require(right.fields["set-cookie"])
            #expect(field.hasPrefix("__Host-ota_app_com.example.demo="))
            #expect(field.contains("SameSite=Lax") && field.contains("HttpOnly; "))
            let cookie = String(field.prefix { $0 != ";" })
            #expect(try await Self.isOpen(site, cookie: cookie))
            #expect(try await !Self.isOpen(site, cookie: nil), "not from memory either")
            let other = cookie.replacing("com.example.demo=", with: "com.example.other=")
            #expect(try await !Self.isOpen(site, cookie: other))
            try await Self.close(site, .passphrase, passphrase: "tabs in the morning")
            #expect(try await !Self.isOpen(site, cookie: cookie))
            site.clock.advance(by: 31 * 86_400)
            #expect(try await !Self.isOpen(site, cookie: cookie))
        }
    }

    @Test func `a form that was not given to the browser is not taken`() async throws {
        try await TestSite.run { site in
            try await Self.close(site, .passphrase, passphrase: "tabs in the dark")
            let form = try Form(try await WireClient.get(site, "/apps/demo-co"))
            let other = try Form(try await WireClient.get(site, "/apps/demo-co"))
            let words = "tabs in the dark"
            for attempt in [
                try await form.send(words, cookie: "x=1", on: site),
                try await form.send(words, cookie: other.cookie, on: site),
                try await form.send(words, code: other.code, on: site),
                try await form.send(words, code: "", on: site),
            ] {
                #expect(attempt.status == 403)
                #expect(attempt.fields["set-cookie"] == nil)
            }
            let right = try await form.send(words, on: site)
            #expect(right.status == 303)
        }
    }

    @Test func `who guesses waits, also with the right words`() async throws {
        try await TestSite.run { site in
            try await Self.close(site, .passphrase, passphrase: "tabs in the dark")
            let form = try Form(try await WireClient.get(site, "/apps/demo-co"))
            var last = 0
            for number in 0..<7 {
                last = try await form.send("wrong words \(number)", on: site).status
            }
            #expect(last == 429)
            let right = try await form.send("tabs in the dark", on: site)
            #expect(right.status == 429)
            #expect(right.text.contains("name=\"passphrase\""))
            #expect(right.fields["retry-after"] != nil)
            site.clock.advance(by: 3600)
            let later = try Form(try await WireClient.get(site, "/apps/demo-co"))
            #expect(try await later.send("tabs in the dark", on: site).status == 303)
        }
    }

    @Test func `who knows one app's passphrase guesses another's no faster`() async throws {
        try await TestSite.run { site in
            try await Self.close(site, .passphrase, passphrase: "tabs in the dark")
            var other = AppRecord(
                bundleIdentifier: try #require(BundleIdentifier("com.example.other")),
                title: "Other",
                slug: try #require(Slug("other")),
                created: site.clock.now,
            )
            other.access = .passphrase
            other.passphrase = try PassphraseHash(
                "another known one",
                cost: .least,
                random: randomBytes,
            )
            let name = try DocumentName(path: "apps/com.example.other/app.json")
            #expect(try site.store.write(other, to: name, if: .absent))
            site.settle()
            let form = try Form(try await WireClient.get(site, "/apps/demo-co"))
            var statuses: [Int] = []
            for number in 0..<8 {
                statuses.append(try await form.send("wrong words \(number)", on: site).status)
                let known = try await form.send("another known one", to: "/apps/other", on: site)
                #expect(known.status == 303)
            }
            #expect(statuses.last == 429)
        }
    }

    @Test func `an app without a passphrase opens to none`() async throws {
        try await TestSite.run { site in
            try await Self.close(site, .passphrase)
            let form = try Form(try await WireClient.get(site, "/apps/demo-co"))
            #expect(try await form.send("", on: site).status == 403)
            #expect(try await !Self.isOpen(site, cookie: nil))
        }
    }

    @Test func `an earlier slug leads on, under the same rules`() async throws {
        try await TestSite.run { site in
            let app = site.release.bundleIdentifier
            let slug = try #require(Slug("demo"))
            try site.store.claim(slug, for: app)
            try site.store.changeApp(app) { $0.slug = slug }
            site.settle()
            let former = try await WireClient.get(site, "/apps/demo-co")
            #expect(former.status == 200)
            #expect(former.text.contains("/apps/demo/"))
            try await Self.close(site, .enrolled)
            #expect(try await WireClient.get(site, "/apps/demo-co").status == 403)
        }
    }
}
