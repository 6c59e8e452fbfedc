import APIDocuments
import Access
import Administration
import Bytes
import Foundation
import HTTPCalling
import OTAServer
import Releases
import Store
import TestSupport
import Testing

/// What ends sessions that the provider does not confirm, and how a browser silently gets a new one.
@Suite(.timeLimit(.minutes(10)))
struct SessionRenewalTests {
    private typealias Behaviour = StandInProvider.Behaviour

    /// A provider that returns no ID token at a refresh, and has no UserInfo endpoint.
    private static var silent: Behaviour {
        var behaviour = Behaviour()
        behaviour.isTelling = false
        behaviour.metadata["userinfo_endpoint"] = .null
        return behaviour
    }

    @Test func `a refresh that says nothing of the person confirms no role`() async throws {
        let role = RoleGrant(.admin, to: .claim("release-team"))
        try await PeopleClient.run(roles: [role]) { people in
            people.provider.behaviour = Self.silent
            let admin = try await people.signIn()
            people.site.clock.advance(by: 601)
            #expect(try await admin.get("/admin").status == 200)
            let kept = try #require(try people.site.store.personSessions().first)
            #expect(kept.refreshToken == nil)
            #expect(kept.expires == kept.opened.addingTimeInterval(3600))
            people.site.clock.advance(by: 2900)
            #expect(try await admin.get("/admin").status == 200)
            people.site.clock.advance(by: 101)
            let away = try await admin.get("/admin/activity")
            #expect(away.fields["location"] == "/sign-in?to=%2Fadmin%2Factivity&silent=1")
            // The provider removes the role.
            var behaviour = Self.silent
            behaviour.claims = { $0["groups"] = .list([]) }
            people.provider.behaviour = behaviour
            let again = try await people.begin(to: "?to=%2Fadmin%2Factivity&silent=1")
            #expect(again.query["prompt"] == "none")
            #expect(try await people.finish(again).text.contains("sign-in.no-role"))
            #expect(try await admin.get("/admin").status == 303)
        }
    }

    @Test func `one who comes back after hours is asked for again before anything is shown`()
        async throws
    {
        try await PeopleClient.run { people in
            people.provider.behaviour = Self.silent
            let admin = try await people.signIn()
            people.site.clock.advance(by: 2 * 3600)
            let away = try await admin.get("/admin")
            #expect(away.fields["location"]?.hasSuffix("silent=1") == true)
            // A person who signed out is not signed in silently.
            let second = try await people.signIn()
            #expect(try await second.send("/admin/sign-out-everywhere").status == 200)
            #expect(try await admin.get("/admin").fields["location"] == "/admin/sign-in")
            #expect(try people.sessionCount == 0)
        }
    }

    /// A tester's browser whose session has expired, on a page for testers who signed in.
    private static func withExpiredTester(
        _ body: @Sendable @escaping (PeopleClient, [String: String]) async throws -> Void
    ) async throws {
        try await PeopleClient.run(testers: [TesterGrant(to: .everyone)]) { people in
            let site = people.site
            let admin = Administrator(of: site.store, named: "ada", clock: { site.clock.now })
            try admin.changeApp(site.release.bundleIdentifier, AppChange(access: .signIn))
            site.settle()
            var behaviour = Behaviour()
            behaviour.refreshToken = nil
            people.provider.behaviour = behaviour
            let first = try await people.begin(to: "/testers?to=%2Fapps%2Fdemo-co")
            let signedIn = try await people.finish(first)
            let cookie = String((signedIn.fields["set-cookie"] ?? "").prefix { $0 != ";" })
            let fields = ["Cookie": cookie]
            let page = try await WireClient.get(site, "/apps/demo-co", fields: fields)
            #expect(page.status == 200)
            site.clock.advance(by: 3601)
            try await body(people, fields)
        }
    }

    private static let way = "/sign-in/testers?to=%2Fapps%2Fdemo-co&silent=1"

    @Test func `a tester’s session that ran out is renewed without a question`() async throws {
        try await Self.withExpiredTester { people, fields in
            let away = try await WireClient.get(people.site, "/apps/demo-co", fields: fields)
            #expect(away.status == 303 && away.fields["location"] == Self.way)
            #expect(away.fields["cache-control"] == "private, no-store")
            let begun = try await people.begin(to: "/testers?to=%2Fapps%2Fdemo-co&silent=1")
            #expect(begun.query["prompt"] == "none")
            let answer = try await people.finish(begun)
            #expect(answer.fields["location"]?.hasSuffix("/apps/demo-co") == true)
            let cookie = String((answer.fields["set-cookie"] ?? "").prefix { $0 != ";" })
            let page = try await WireClient.get(
                people.site,
                "/apps/demo-co",
                fields: ["Cookie": cookie],
            )
            #expect(page.status == 200)
            // A script's request is not redirected, and neither is one for something other than a page.
            let script = fields.merging(["Sec-Fetch-Dest": "empty"]) { $1 }
            let shown = try await WireClient.get(people.site, "/apps/demo-co", fields: script)
            #expect(shown.status == 403 && shown.text.contains("Sign in with Example ID"))
            let icon = "/apps/demo-co/icon.png"
            #expect(try await WireClient.get(people.site, icon, fields: fields).status == 404)
        }
    }

    @Test func `where the provider would have to ask, or is down, the page has its button again`()
        async throws
    {
        try await Self.withExpiredTester { people, _ in
            let begun = try await people.begin(to: "/testers?to=%2Fapps%2Fdemo-co&silent=1")
            let refused = try await people.finish(
                begun,
                "error=login_required&state=\(begun.state)",
            )
            #expect(refused.status == 303)
            #expect(refused.fields["location"]?.hasSuffix("/apps/demo-co") == true)
            // Without the cookie, there is no second attempt.
            let cleared = "__Host-ota_tester=; Max-Age=0"
            #expect(refused.fields["set-cookie"]?.hasPrefix(cleared) == true)
            people.site.clock.advance(by: 3601)
            var behaviour = Behaviour()
            behaviour.troubles["openid-configuration"] = .tooSlow(seconds: 5)
            people.provider.behaviour = behaviour
            let down = try await WireClient.get(people.site, Self.way)
            #expect(down.status == 303)
            #expect(down.fields["location"]?.hasSuffix("/apps/demo-co") == true)
            #expect(down.fields["set-cookie"]?.hasPrefix(cleared) == true)
            let page = try await WireClient.get(people.site, "/apps/demo-co")
            #expect(page.status == 403 && page.text.contains("Sign in with Example ID"))
        }
    }

    @Test(arguments: [true, false])
    func `a logout that comes while the code is exchanged ends that session`(
        isOfSession: Bool
    ) async throws {
        try await PeopleClient.run(testers: [TesterGrant(to: .everyone)]) { people in
            let (site, provider) = (people.site, people.provider)
            @Sendable func announce(_ subject: String) async throws {
                let token = provider.logoutToken {
                    $0["sub"] = isOfSession ? nil : .text(subject)
                    $0["sid"] = isOfSession ? .text("of " + subject) : nil
                }
                let answer = try await PeopleSessionTests.post(
                    site,
                    "/sign-in/back-channel-logout",
                    ["logout_token": token],
                )
                #expect(answer.status == 200)
            }
            for path in ["", "/testers?to=%2F"] {
                // Logout tokens that are older than her session, or about another person, do not end it.
                try await announce("248289761001")
                var behaviour = Behaviour()
                behaviour.claims = { $0["sid"] = .text("of 248289761001") }
                behaviour.meanwhile = { try await announce("248289761002") }
                provider.behaviour = behaviour
                _ = try await people.finish(people.begin(to: path))
                #expect(try people.sessionCount == 1)
                behaviour.meanwhile = { try await announce("248289761001") }
                provider.behaviour = behaviour
                let refused = try await people.finish(people.begin(to: path))
                #expect(refused.status == 401, "\(refused.status)")
                #expect(try people.sessionCount == 0)
            }
        }
    }

    @Test func `wrong codes of one address keep no one else behind it from signing in`()
        async throws
    {
        try await PeopleClient.run { people in
            var behaviour = Behaviour()
            behaviour.statuses["token"] = 400
            people.provider.behaviour = behaviour
            var statuses: [Int] = []
            for _ in 0..<8 {
                statuses.append(try await people.finish(people.begin()).status)
            }
            #expect(statuses.first == 401 && statuses.last == 429, "\(statuses)")
            people.provider.behaviour = Behaviour()
            let admin = try await people.signIn()
            #expect(try await admin.get("/admin").status == 200)
        }
    }

    @Test func `feedback of a tester who signed in names the person, and is for testers alone`()
        async throws
    {
        try await PeopleClient.run(testers: [TesterGrant(to: .everyone)]) { people in
            let site = people.site
            let app = site.release.bundleIdentifier
            let admin = Administrator(of: site.store, named: "ada", clock: { site.clock.now })
            try admin.changeApp(app, AppChange(access: .signIn, feedback: .form))
            site.settle()
            let path = "/apps/demo-co/1.2.0-34/feedback"
            #expect(try await WireClient.get(site, path).status == 404)
            let signedIn = try await people.finish(people.begin(to: "/testers?to=%2F"))
            let tester = String((signedIn.fields["set-cookie"] ?? "").prefix { $0 != ";" })
            let form = try await WireClient.get(site, path, fields: ["Cookie": tester])
            #expect(form.status == 200 && form.text.contains("ana@example.com"))
            let own = String((form.fields["set-cookie"] ?? "").prefix { $0 != ";" })
            let start = try #require(form.text.range(of: "name=\"form\" value=\"")).upperBound
            let code = String(form.text[start...].prefix { $0 != "\"" })
            func send(_ cookies: String) async throws -> Int {
                let form = ["form": code, "text": "It crashes."]
                let fields = ["Cookie": cookies]
                let answer = try await PeopleSessionTests.post(site, path, form, fields: fields)
                return answer.status
            }
            #expect(try await send(own) == 404)
            #expect(try await send("\(tester); \(own)") == 303)
            let kept = try #require(try site.store.feedback(of: app).entries.first)
            #expect(kept.text == "It crashes." && kept.device == nil)
            #expect(kept.sender.person == "ana@example.com" && kept.sender.name == nil)
            // A person who is no longer a tester cannot send anything.
            try people.set([RoleGrant(.admin, to: .email("ana@example.com"))], testers: [])
            site.settle()
            #expect(try await send("\(tester); \(own)") == 404)
            #expect(try site.store.feedback(of: app).entries.count == 1)
        }
    }
}
