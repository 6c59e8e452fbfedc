import APIDocuments
import Access
import Administration
import Bytes
import Enrolment
import Foundation
import HTTPCalling
import Identifiers
import OTAServer
import Releases
import SiteServices
import Store
import TestSupport
import Testing

/// Testers who sign in at the provider: what they can open, and what not.
@Suite(.timeLimit(.minutes(10)))
struct TesterSignInTests {
    private typealias Behaviour = StandInProvider.Behaviour

    /// A browser in which a tester signs in.
    private struct Browser {
        let people: PeopleClient
        var cookie = ""

        var site: TestSite { people.site }

        func get(_ path: String, language: String = "en") async throws -> WireResponse {
            var fields = ["Accept-Language": language]
            if !cookie.isEmpty { fields["Cookie"] = cookie }
            return try await WireClient.get(site, path, fields: fields)
        }

        func begin(to path: String) async throws -> PeopleClient.Begun {
            let to = path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return people.begun(by: try await get("/sign-in/testers?to=" + to))
        }

        /// Signs Ana in and keeps the cookie.
        @discardableResult
        mutating func signIn(to path: String = "/apps/demo-co") async throws -> WireResponse {
            let begun = try await begin(to: path)
            let held = cookie.isEmpty ? "" : "; " + cookie
            let answer = try await WireClient.get(
                site,
                "/sign-in/callback?code=c1&state=\(begun.state)",
                fields: ["Cookie": begun.cookie + held],
            )
            let field = answer.fields["set-cookie"] ?? ""
            if field.hasPrefix("__Host-ota_tester=") {
                cookie = String(field.prefix { $0 != ";" })
            }
            return answer
        }

        /// Returns the status of a response that may stream for ever.
        func status(_ path: String) async throws -> Int {
            let field = cookie.isEmpty ? "" : "Cookie: \(cookie)\r\n"
            return try await WireClient.secure(site) { client in
                try await client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n")
                return try await client.responseHead().status
            }
        }
    }

    private static let everyone = [TesterGrant(to: .everyone)]

    private static func open(_ people: PeopleClient, to access: AppRecord.Access) throws {
        let site = people.site
        let admin = Administrator(of: site.store, named: "ada", clock: { site.clock.now })
        for group in access.groups { try admin.createGroup(group) }
        try admin.changeApp(site.release.bundleIdentifier, AppChange(access: access))
        site.settle()
    }

    /// The path of the IPA according to the manifest.
    private static func archive(_ manifest: WireResponse, _ site: TestSite) throws -> String {
        let url = try #require(
            manifest.text.split { "<>".contains($0) }.first { $0.hasSuffix(".ipa") }
        )
        return String(url.dropFirst(site.addresses.baseURL.rawValue.count))
    }

    @Test func `a tester signs in on the page, comes back to it, and installs`() async throws {
        try await PeopleClient.run(testers: Self.everyone) { people in
            try Self.open(people, to: .signIn)
            var browser = Browser(people: people)
            let page = "/apps/demo-co?channel=stable"
            let closed = try await browser.get(page)
            #expect(closed.status == 403 && closed.text.contains("Sign in with Example ID"))
            let link = "/sign-in/testers?to=%2Fapps%2Fdemo-co%3Fchannel%3Dstable"
            #expect(closed.text.contains("href=\"\(link)\""))
            for secret in ["1.2.0", "com.example", "itms-services", "/events"] {
                #expect(!closed.text.contains(secret), "\(secret)")
            }
            #expect(try await browser.get(page, language: "de").text.contains("Mit Example ID an"))
            let parts = [
                "/apps/demo-co/icon.png", "/apps/demo-co/qr.svg", "/events?app=demo-co",
                "/api/v1/apps/demo-co/update?version=1.0&build=1",
            ]
            for part in parts { #expect(try await browser.status(part) == 404, "\(part)") }

            let answer = try await browser.signIn(to: page)
            #expect(answer.status == 303)
            #expect(answer.fields["location"] == people.site.addresses.baseURL.rawValue + page)
            let field = answer.fields["set-cookie"] ?? ""
            #expect(field.contains("Path=/; Secure; HttpOnly; SameSite=Lax"))
            let opened = try await browser.get(page)
            #expect(opened.status == 200)
            for part in parts { #expect(try await browser.status(part) == 200, "\(part)") }
            #expect(try await browser.get("/").text.contains("Signed in as ana@example.com"))
            let update = try await browser.get(parts[3])
            #expect(update.text.contains("itms-services"))

            // The phone's installer sends no cookies.
            let path = try opened.manifestPath(on: people.site)
            let manifest = try await WireClient.get(people.site, path)
            #expect(manifest.status == 200)
            let archive = try Self.archive(manifest, people.site)
            #expect(try await WireClient.get(people.site, archive).status == 200)
            let activity = try people.site.store.activity(count: 1).first
            #expect(activity?.actor == "ana@example.com" && activity?.event == .signedIn)
            #expect(activity?.detail?.hasPrefix("as a tester: 248289761001 at") == true)
            var installs: [InstallAttempt] = []
            for _ in 0..<100 where installs.isEmpty {
                try await Task.sleep(for: .milliseconds(50))
                installs = try people.site.store.installAttempts(
                    of: people.site.release.bundleIdentifier,
                    since: .distantPast,
                )
            }
            #expect(installs.first?.person == "ana@example.com")

            let out = try await PeopleSessionTests.post(
                people.site,
                "/sign-out",
                [:],
                fields: ["Cookie": browser.cookie, "Sec-Fetch-Site": "same-origin"],
            )
            #expect(out.fields["set-cookie"]?.hasPrefix("__Host-ota_tester=; Max-Age=0") == true)
            #expect(try await browser.get(page).status == 403)
            #expect(try await WireClient.get(people.site, path).status == 403)
            #expect(try await WireClient.get(people.site, archive).status == 403)
        }
    }

    @Test func `a session of a tester opens nothing of admins, nor one of an admin a tester’s`()
        async throws
    {
        try await PeopleClient.run(testers: Self.everyone) { people in
            try Self.open(people, to: .signIn)
            var browser = Browser(people: people)
            try await browser.signIn()
            let value = browser.cookie.dropFirst("__Host-ota_tester=".count)
            for cookie in [browser.cookie, "__Host-ota_admin=\(value)"] {
                let fields = ["Cookie": cookie]
                let pages = ["/admin", "/admin/tokens", "/admin/export/devices.csv", "/events"]
                for page in pages {
                    let answer = try await WireClient.get(people.site, page, fields: fields)
                    #expect([303, 401].contains(answer.status), "\(page)")
                }
                let api = try await WireClient.get(people.site, "/api/v1/apps", fields: fields)
                #expect(api.status == 401)
            }
            let admin = try await people.signIn()
            browser.cookie = "__Host-ota_tester=" + admin.cookie
            #expect(try await browser.get("/apps/demo-co").status == 403)
            #expect(try people.sessionCount == 2)
        }
    }

    @Test func `who has no right to it is not signed in, as a tester or as an admin`() async throws
    {
        let other = TesterGrant(to: .known(.email("bea@example.com")))
        try await PeopleClient.run(testers: [other]) { people in
            try Self.open(people, to: .signIn)
            // An admin is not a tester.
            var browser = Browser(people: people)
            let refused = try await browser.signIn()
            #expect(refused.status == 403 && browser.cookie.isEmpty)
            #expect(refused.text.contains("data-problem=\"sign-in.no-tester\""))
            #expect(refused.text.contains("href=\"/sign-in/testers?to=%2Fapps%2Fdemo-co\""))
            // A tester is not an admin.
            try people.set([], testers: Self.everyone)
            people.site.settle()
            let answer = try await people.finish(people.begin())
            #expect(answer.text.contains("sign-in.no-role"))
            #expect(try people.sessionCount == 0)
            let log = try await people.site.logText()
            #expect(log.contains("problem=sign-in.no-tester"))
            // Without testers in the settings, there is no button.
            try people.set([RoleGrant(.admin, to: .email("ana@example.com"))])
            people.site.settle()
            #expect(try await !browser.get("/apps/demo-co").text.contains("/sign-in/testers"))
        }
    }

    @Test func `hostile answers open no session of a tester`() async throws {
        try await PeopleClient.run(testers: Self.everyone) { people in
            try Self.open(people, to: .signIn)
            var browser = Browser(people: people)
            let attacks: [(String, @Sendable (inout Behaviour) -> Void)] = [
                ("unsigned", { $0.header["alg"] = .text("none") }),
                ("wrong-audience", { $0.claims = { $0["aud"] = .text("another") } }),
                ("wrong-nonce", { $0.claims = { $0["nonce"] = .text("of another") } }),
                ("code-refused", { $0.statuses["token"] = 400 }),
                ("too-slow", { $0.troubles["token"] = .tooSlow(seconds: 5) }),
            ]
            for (problem, change) in attacks {
                var behaviour = Behaviour()
                change(&behaviour)
                people.provider.behaviour = behaviour
                let answer = try await browser.signIn()
                #expect(browser.cookie.isEmpty, "\(problem)")
                #expect(answer.text.contains("data-problem=\"sign-in.\(problem)\""), "\(problem)")
            }
            #expect(try people.sessionCount == 0)
        }
    }

    @Test(arguments: [
        "https://evil.example/", "//evil.example", "/\\evil.example", "/apps//evil.example",
        "/apps/../admin", "/admin", "/sign-in", "/apps/demo-co/../../admin", "javascript:alert(1)",
        "/apps/demo-co?channel=stable&to=//evil", "/apps/demo-co?next=//evil",
        "/apps/demo-co\r\nSet-Cookie: a=b", "",
    ])
    func `signing in leads to pages for testers alone`(path: String) async throws {
        #expect(TesterPath(path) == nil)
    }

    @Test func `the way back is put together anew, also below a path and after an attempt`()
        async throws
    {
        let pages = [
            "/", "/apps/demo-co", "/apps/demo-co?channel=pr-12", "/apps/demo-co/history",
            "/apps/demo-co/1.2.0-34", "/apps/demo-co/1.2.0-34/feedback",
        ]
        for page in pages { #expect(TesterPath(page)?.text == page) }
        try await PeopleClient.run(testers: Self.everyone) { people in
            var browser = Browser(people: people)
            let answer = try await browser.signIn(to: "//evil.example/")
            #expect(answer.fields["location"] == people.site.addresses.baseURL.rawValue + "/")
        }
    }

    @Test func `a session that was planted before does not become the tester’s`() async throws {
        try await PeopleClient.run(testers: Self.everyone) { people in
            try Self.open(people, to: .signIn)
            var attacker = Browser(people: people)
            try await attacker.signIn()
            #expect(try await attacker.get("/apps/demo-co").status == 200)
            var victim = Browser(people: people, cookie: attacker.cookie)
            try await victim.signIn()
            #expect(victim.cookie != attacker.cookie)
            #expect(try await victim.get("/apps/demo-co").status == 200)
            #expect(try await attacker.get("/apps/demo-co").status == 403)
            // Nor does a made-up one.
            let made = Browser(
                people: people,
                cookie: "__Host-ota_tester=tester~t00~0~9999999999~00",
            )
            #expect(try await made.get("/apps/demo-co").status == 403)
            #expect(try people.sessionCount == 1)
        }
    }

    @Test func `a claim makes a member of a group, for as long as the provider says so`()
        async throws
    {
        let qa = try #require(GroupName("qa"))
        let grant = TesterGrant(in: qa, to: .known(.claim("release-team")))
        try await PeopleClient.run { people in
            try Self.open(people, to: try #require(AppRecord.Access("groups:qa")))
            try people.set([], testers: [grant])
            people.site.settle()
            var browser = Browser(people: people)
            // A hidden app looks like one that does not exist, and both pages offer to sign in.
            let hidden = try await browser.get("/apps/demo-co")
            let absent = try await browser.get("/apps/demo-xx")
            #expect(hidden.status == 404 && hidden.text.contains("Sign in with Example ID"))
            #expect(
                hidden.text.replacing("demo-co", with: "")
                    == absent.text.replacing("demo-xx", with: "")
            )
            try await browser.signIn()
            let page = try await browser.get("/apps/demo-co")
            #expect(page.status == 200)
            #expect(try await browser.get("/apps/demo-xx").status == 404)
            let path = try page.manifestPath(on: people.site)
            let archive = try Self.archive(
                try await WireClient.get(people.site, path),
                people.site,
            )
            func statuses() async throws -> [Int] {
                [
                    try await browser.get("/apps/demo-co").status,
                    try await WireClient.get(people.site, path).status,
                    try await WireClient.get(people.site, archive).status,
                    try await browser.status("/events?app=demo-co"),
                ]
            }
            #expect(try await statuses() == [200, 200, 200, 200])
            var behaviour = Behaviour()
            behaviour.claims = { $0["groups"] = .list([.text("sales")]) }
            people.provider.behaviour = behaviour
            people.site.clock.advance(by: 601)
            // The download comes first, since it checks with the provider as a page does.
            #expect(try await WireClient.get(people.site, archive).status == 403)
            #expect(try await statuses() == [404, 403, 403, 404])
            #expect(try people.sessionCount == 0)
            #expect(try people.site.store.activity(count: 1).first?.event == .signedOut)

            // The settings, an admin and the provider can each end it at once.
            let ends: [@Sendable () async throws -> Void] = [
                { try people.set([], testers: []) },
                {
                    let all = try people.site.store.personSessions()
                    for session in all {
                        _ = try people.site.store.endPersonSession(session.identifier)
                    }
                },
                {
                    let answer = try await PeopleSessionTests.post(
                        people.site,
                        "/sign-in/back-channel-logout",
                        ["logout_token": people.provider.logoutToken()],
                    )
                    #expect(answer.status == 200)
                },
            ]
            for end in ends {
                people.provider.behaviour = Behaviour()
                try people.set([], testers: [grant])
                people.site.settle()
                try await browser.signIn()
                let page = try await browser.get("/apps/demo-co")
                let path = try page.manifestPath(on: people.site)
                #expect(try await WireClient.get(people.site, path).status == 200)
                try await end()
                people.site.settle()
                #expect(try await browser.get("/apps/demo-co").status == 404)
                #expect(try await WireClient.get(people.site, path).status == 403)
            }
        }
    }

    @Test func `who has signed in and enrols finds their name in the form`() async throws {
        try await PeopleClient.run(testers: Self.everyone) { people in
            let site = people.site
            let admin = Administrator(of: site.store, named: "ada", clock: { site.clock.now })
            let sent = try admin.invite(
                NewInvitation(name: "Kitchen", uses: 2),
                links: Links(base: site.addresses.baseURL),
            )
            site.settle()
            let path = "/enrol/\(sent.issued.token.text)"
            var browser = Browser(people: people)
            let field = "name=\"name\" value=\"ana@example.com\""
            #expect(try await !browser.get(path).text.contains(field))
            try await browser.signIn()
            #expect(try await browser.get(path).text.contains(field))
        }
    }

    @Test func `a stream ends when the provider is to be asked, and the page asks`() async throws {
        try await PeopleClient.run(testers: Self.everyone) { people in
            try Self.open(people, to: .signIn)
            var browser = Browser(people: people)
            try await browser.signIn()
            func isWaiting() throws -> Bool {
                try people.site.store.personSessions().first?
                    .isWaiting(at: people.site.clock.now) ?? false
            }
            #expect(try !isWaiting())
            let (clock, cookie) = (people.site.clock, browser.cookie)
            let said = try await WireClient.secure(people.site) { client in
                let head =
                    "GET /events?app=demo-co HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                try await client.send(head + "Cookie: \(cookie)\r\n\r\n")
                _ = try await client.responseHead()
                clock.advance(by: 601)
                return String(decoding: await client.rest(), as: UTF8.self)
            }
            #expect(said.contains("event: changed"))
            #expect(try isWaiting())
            #expect(try await browser.get("/apps/demo-co").status == 200)
            people.site.settle()
            #expect(try !isWaiting())
        }
    }
}
