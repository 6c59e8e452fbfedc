import Access
import Bundles
import Bytes
import Cryptography
import Foundation
import HTTPCalling
import Identifiers
import OTAServer
import OpenID
import Releases
import Store
import Testing

/// How long people stay signed in, and what ends their sessions.
@Suite(.timeLimit(.minutes(10)))
struct PeopleSessionTests {
    private typealias Behaviour = StandInProvider.Behaviour

    @Test func `a person signs in, is named, and acts in their own name`() async throws {
        try await PeopleClient.run { people in
            let form = try await WireClient.get(people.site, "/admin/sign-in")
            #expect(form.text.contains("href=\"/sign-in\">Sign in with"))
            #expect(form.text.contains("Example ID") && form.text.contains("name=\"token\""))
            let begun = try await people.begin(to: "?to=%2Fadmin%2Factivity")
            #expect(begun.query["response_type"] == "code")
            #expect(begun.query["response_mode"] == "query")
            #expect(begun.query["code_challenge_method"] == "S256")
            #expect(begun.query["scope"] == "openid email profile groups")
            let redirect = people.site.addresses.baseURL.rawValue + "/sign-in/callback"
            #expect(begun.query["redirect_uri"] == redirect)
            let answer = try await people.finish(begun)
            #expect(answer.status == 200)
            // After a redirect from another site, a browser would not send a SameSite=Strict cookie.
            #expect(
                answer.text.contains("http-equiv=\"refresh\" content=\"0; url=/admin/activity\"")
            )
            let field = answer.fields["set-cookie"] ?? ""
            #expect(field.hasPrefix("__Host-ota_admin="))
            #expect(field.contains("Path=/; Secure; HttpOnly; SameSite=Strict"))
            let admin = try AdminClient(people.site, after: answer)
            let page = try await admin.get("/admin")
            #expect(
                page.text.contains("ana@example.com") && page.text.contains("<span>Admin</span>")
            )
            let made = try await admin.send(
                "/admin/tokens",
                ["name": "ci", "scope": "read", "days": "7"],
            )
            #expect(made.status < 400)
            let activity = try people.site.store.activity(count: 5)
            #expect(
                activity.contains { $0.event == .tokenCreated && $0.actor == "ana@example.com" }
            )
            let signedIn = activity.first { $0.event == .signedIn }
            #expect(signedIn?.detail == "248289761001 at https://id.example.com")
        }
    }

    @Test
    func `roles are those of the address, of the subject or of a claim, on the apps they are for`()
        async throws
    {
        let app = try #require(BundleIdentifierText.demo)
        try await PeopleClient.run(roles: [
            RoleGrant(.viewer, on: app, to: .claim("release-team")),
            RoleGrant(.admin, to: .email("bea@example.com")),
        ]) { people in
            let reader = try await people.signIn()
            #expect(try await reader.get("/admin").text.contains("Viewer of com.example.demo"))
            #expect(try await reader.get("/admin/tokens").status == 403)
            // Everyone who may read an app sees what its testers see.
            try people.site.store.changeApp(app) { $0.access = .enrolled }
            people.site.settle()
            #expect(try await WireClient.get(people.site, "/apps/demo-co").status == 403)
            #expect(try await reader.get("/apps/demo-co").status == 200)
            // The role is checked at each request.
            try people.set([RoleGrant(.admin, to: .subject("248289761001"))])
            people.site.settle()
            #expect(try await reader.get("/admin/tokens").status == 200)
            try people.set([RoleGrant(.admin, to: .email("bea@example.com"))])
            people.site.settle()
            #expect(try await reader.get("/apps/demo-co").status == 403)
            #expect(try await reader.get("/admin").status == 303)
            #expect(try people.sessionCount == 0, "who has no role has no session")
            try people.set([RoleGrant(.admin, to: .subject("248289761001"))])
            people.site.settle()
            #expect(try await reader.get("/admin").status == 303, "and does not get it back")
        }
    }

    @Test func `the provider is asked every ten minutes, and its no ends the session`() async throws
    {
        try await PeopleClient.run(roles: [RoleGrant(.admin, to: .claim("release-team"))]) {
            people in
            let admin = try await people.signIn()
            func asked() -> Int { people.provider.calls.count { $0 == "/token" } }
            #expect(try await admin.get("/admin").status == 200)
            #expect(asked() == 1)
            people.site.clock.advance(by: 601)
            #expect(try await admin.get("/admin").status == 200)
            #expect(try await admin.get("/admin").status == 200)
            #expect(asked() == 2)
            let kept = try people.site.store.personSessions().first
            #expect(kept?.refreshToken == "r0+", "a refresh token that is replaced is kept")
            // The provider removes the group.
            var behaviour = Behaviour()
            behaviour.claims = { $0["groups"] = .list([]) }
            people.provider.behaviour = behaviour
            people.site.clock.advance(by: 601)
            #expect(try await admin.get("/admin").status == 303)
            #expect(try people.sessionCount == 0)

            people.provider.behaviour = Behaviour()
            let second = try await people.signIn()
            behaviour = Behaviour()
            behaviour.statuses["token"] = 400
            people.provider.behaviour = behaviour
            people.site.clock.advance(by: 601)
            #expect(try await second.get("/admin").status == 303)
            #expect(try people.sessionCount == 0)
            #expect(try people.site.store.activity(count: 1).first?.event == .signedOut)
            let log = try await people.site.logText()
            #expect(log.contains("a session was ended") && log.contains("the person has no role"))
        }
    }

    @Test
    func
        `a provider out of reach ends sessions after a while, and another person's answer at once`()
        async throws
    {
        try await PeopleClient.run { people in
            let admin = try await people.signIn()
            var behaviour = Behaviour()
            behaviour.troubles["token"] = .unreachable(reason: "connection refused")
            people.provider.behaviour = behaviour
            people.site.clock.advance(by: 700)
            #expect(try await admin.get("/admin").status == 200)
            people.site.clock.advance(by: 1000)
            #expect(try await admin.get("/admin").status == 200)
            people.site.clock.advance(by: 800)
            #expect(try await admin.get("/admin").status == 303)
            // The provider is available again before the session ends.
            people.provider.behaviour = Behaviour()
            people.site.clock.advance(by: 31)
            #expect(try await admin.get("/admin").status == 200)
            behaviour = Behaviour()
            behaviour.claims = { $0["sub"] = .text("someone else") }
            people.provider.behaviour = behaviour
            people.site.clock.advance(by: 601)
            #expect(try await admin.get("/admin").status == 303)
            #expect(try people.sessionCount == 0)
        }
    }

    @Test func `without a refresh token the browser asks again after an hour, unseen`() async throws
    {
        try await PeopleClient.run { people in
            var behaviour = Behaviour()
            behaviour.refreshToken = nil
            people.provider.behaviour = behaviour
            let admin = try await people.signIn()
            people.site.clock.advance(by: 3590)
            #expect(try await admin.get("/admin").status == 200)
            people.site.clock.advance(by: 11)
            let away = try await admin.get("/admin/activity")
            #expect(away.fields["location"] == "/sign-in?to=%2Fadmin%2Factivity&silent=1")
            let silent = try await people.begin(to: "?to=%2Fadmin%2Factivity&silent=1")
            #expect(silent.query["prompt"] == "none")
            let refused = try await people.finish(
                silent,
                "error=login_required&state=\(silent.state)",
            )
            #expect(refused.status == 303)
            #expect(refused.fields["location"] == "/admin/sign-in?to=%2Fadmin%2Factivity")
            #expect(refused.fields["set-cookie"]?.hasPrefix("__Host-ota_admin=;") == true)
            let again = try await people.begin(to: "?to=%2Fadmin%2Factivity&silent=1")
            #expect(try await people.finish(again).text.contains("url=/admin/activity"))
        }
    }

    @Test func `signing out ends the session here and at the provider, everywhere ends all`()
        async throws
    {
        try await PeopleClient.run { people in
            let one = try await people.signIn()
            let two = try await people.signIn()
            let three = try await people.signIn()
            #expect(try await one.post("/admin/sign-out", [:]).status == 403)
            let out = try await one.send("/admin/sign-out")
            #expect(out.status == 200)
            #expect(out.text.contains("url=https://id.example.com/logout?id_token_hint="))
            #expect(out.text.contains("post_logout_redirect_uri="))
            #expect(out.fields["set-cookie"]?.hasPrefix("__Host-ota_admin=; Max-Age=0") == true)
            #expect(try await one.get("/admin").status == 303)
            #expect(try await two.get("/admin").status == 200)
            #expect(try await two.send("/admin/sign-out-everywhere").status == 200)
            // A person whose session was ended has to sign in, and is not signed in silently.
            let ended = try await three.get("/admin")
            #expect(ended.status == 303 && ended.fields["location"] == "/admin/sign-in")
            #expect(try people.sessionCount == 0)
        }
    }

    @Test func `a sign-out that the provider announces ends the sessions that it names`()
        async throws
    {
        try await PeopleClient.run { people in
            let admin = try await people.signIn()
            func announce(_ token: String) async throws -> WireResponse {
                try await Self.post(
                    people.site,
                    "/sign-in/back-channel-logout",
                    ["logout_token": token],
                )
            }
            let refused: [(String, String)] = [
                ("bad-logout", people.provider.logoutToken { $0["nonce"] = .text("n") }),
                ("bad-logout", people.provider.logoutToken { $0["events"] = nil }),
                ("bad-logout", people.provider.logoutToken { $0["jti"] = nil }),
                (
                    "bad-logout",
                    people.provider.logoutToken {
                        $0["sub"] = nil
                        $0["sid"] = nil
                    },
                ),
                ("bad-logout", people.provider.logoutToken(header: ["typ": .text("at+jwt")])),
                ("wrong-audience", people.provider.logoutToken { $0["aud"] = .text("another") }),
                ("wrong-issuer", people.provider.logoutToken { $0["iss"] = .text("https://x") }),
                ("stale", people.provider.logoutToken { $0["iat"] = .integer(1_700_000_000) }),
                ("unsigned", people.provider.logoutToken(header: ["alg": .text("none")])),
                ("unknown-key", people.provider.logoutToken(header: ["kid": .text("mine")])),
                ("bad-token", ""),
                // The header is parsed before any key is fetched, and deeply nested brackets cost nothing.
                (
                    "bad-token",
                    Base64URL.text(
                        Array(
                            (#"{"alg":"RS256","x":"# + String(repeating: "[", count: 500)
                                + String(repeating: "]", count: 500) + "}").utf8
                        )
                    ) + ".e30.eA",
                ),
            ]
            for (problem, token) in refused {
                let answer = try await announce(token)
                #expect(answer.status == 400, "\(problem)")
                #expect(answer.text.contains("sign-in.\(problem)"), "\(problem): \(answer.text)")
            }
            let other = people.provider.logoutToken { $0["sid"] = .text("session-2") }
            #expect(try await announce(other).status == 200)
            #expect(try await admin.get("/admin").status == 200)
            let token = people.provider.logoutToken()
            let answer = try await announce(token)
            #expect(answer.status == 200 && answer.fields["cache-control"] == "no-store")
            #expect(try await admin.get("/admin").status == 303)
            #expect(try await announce(token).text.contains("sign-in.used-logout"))
            let second = try await people.signIn()
            let all = people.provider.logoutToken { $0["sid"] = nil }
            #expect(try await announce(all).status == 200)
            #expect(try await second.get("/admin").status == 303)
            let log = try await people.site.logText()
            let lines = log.split(separator: "\n").filter { $0.contains("a logout was refused") }
            #expect(lines.count == refused.count + 1)
        }
    }

    @Test
    func
        `tokens keep working beside a provider that is down, and a cookie of one opens nothing more`()
        async throws
    {
        try await PeopleClient.run { people in
            var behaviour = Behaviour()
            behaviour.troubles["openid-configuration"] = .tooSlow(seconds: 5)
            people.provider.behaviour = behaviour
            let answer = try await WireClient.get(people.site, "/sign-in")
            #expect(answer.status == 503 && answer.text.contains("sign-in.too-slow"))
            #expect(answer.text.contains("name=\"token\""))
            // The next visitor does not wait for it as well.
            #expect(try await WireClient.get(people.site, "/sign-in").status == 503)
            #expect(people.provider.calls.count == 1)
            people.site.clock.advance(by: 6)
            let admin = try await AdminClient.admin(people.site)
            #expect(try await admin.get("/admin").status == 200)
            people.provider.behaviour = Behaviour()
            let person = try await people.signIn()
            // The API accepts only tokens.
            let api = try await WireClient.get(
                people.site,
                "/api/v1/tokens",
                fields: ["Cookie": "__Host-ota_admin=\(person.cookie)"],
            )
            #expect(api.status == 401)
        }
    }

    static func post(
        _ site: TestSite,
        _ path: String,
        _ form: [String: String],
        fields: [String: String] = [:],
    ) async throws -> WireResponse {
        let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let body = form.map { name, value in
            "\(name)=" + (value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")
        }.joined(separator: "&")
        return try await WireClient.secure(site) { client in
            var head = "POST \(path) HTTP/1.1\r\nHost: localhost\r\n"
            for (name, value) in fields { head += "\(name): \(value)\r\n" }
            head += "Content-Type: application/x-www-form-urlencoded\r\n"
            try await client.send(head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
            return try await client.response()
        }
    }
}

private enum BundleIdentifierText {
    static let demo = BundleIdentifier("com.example.demo")
}
