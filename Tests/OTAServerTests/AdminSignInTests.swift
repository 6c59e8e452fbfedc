import Access
import Cryptography
import Foundation
import OTAServer
import Releases
import Store
import Testing

/// Who can sign in to the admin's pages, and whose forms are accepted.
@Suite(.timeLimit(.minutes(10)))
struct AdminSignInTests {
    @Test func `a token opens the pages, and its holder is named`() async throws {
        try await TestSite.run { site in
            let token = try AdminClient.token(in: site.store)
            let form = try await WireClient.get(site, "/admin/sign-in")
            #expect(form.status == 200)
            #expect(form.fields["cache-control"] == "private, no-store")
            #expect(form.fields["referrer-policy"] == "same-origin")
            // The line ending that an editor leaves in a file.
            let answer = try await AdminClient.signIn(site, with: token + "\r\n")
            #expect(answer.status == 303)
            #expect(answer.fields["location"] == "/admin")
            let field = answer.fields["set-cookie"] ?? ""
            #expect(field.hasPrefix("__Host-ota_admin="))
            #expect(field.contains("Path=/; Secure; HttpOnly; SameSite=Strict"))
            let admin = try AdminClient(site, after: answer)
            let page = try await admin.get("/admin")
            #expect(page.status == 200)
            #expect(page.text.contains("root0") && page.text.contains("<span>Admin</span>"))
            #expect(page.fields["cache-control"] == "private, no-store")
            let policy = page.fields["content-security-policy"] ?? ""
            #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
            let log = try await site.logText()
            #expect(!log.contains(token.suffix(64)))
        }
    }

    @Test func `whoever is not signed in is sent to sign in, and from there to where they went`()
        async throws
    {
        try await TestSite.run { site in
            let away = try await WireClient.get(site, "/admin?app=demo-co&page=2")
            #expect(away.status == 303)
            let location = try #require(away.fields["location"])
            #expect(location == "/admin/sign-in?to=%2Fadmin%3Fapp%3Ddemo-co%26page%3D2")
            let form = try await WireClient.get(site, location)
            #expect(
                form.text.contains("name=\"to\" value=\"/admin?app=demo-co&amp;page=2\"")
            )
            let token = try AdminClient.token(in: site.store)
            let answer = try await AdminClient.signIn(
                site,
                with: token,
                to: "/admin?app=demo-co&page=2",
            )
            #expect(answer.fields["location"] == "/admin?app=demo-co&page=2")
        }
    }

    @Test(arguments: [
        "https://evil.example/", "//evil.example", "/\\evil.example", "/admin//evil.example",
        "/admin/../apps", "/admin/%2e%2e/x", "/administrator", "javascript:alert(1)",
        "/admin\r\nX: y",
        "/admin/sign-out", "/", "", "/admin/\u{202E}", "/admin?next=https://evil.example",
    ])
    func `signing in leads to no other site`(path: String) async throws {
        try await TestSite.run { site in
            let token = try AdminClient.token(in: site.store)
            let answer = try await AdminClient.signIn(site, with: token, to: path)
            #expect(answer.status == 303)
            #expect(answer.fields["location"] == "/admin")
        }
    }

    @Test func `wrong, cut, ended and revoked tokens open nothing, and guessing gets slow`()
        async throws
    {
        try await TestSite.run { site in
            let good = try AdminClient.token(in: site.store)
            let gone = try AdminClient.token(in: site.store)
            try site.store.changeTokens { try $0.revoke("root1", at: Date()) }
            for wrong in [
                gone, String(good.dropLast()), "", String(repeating: "a", count: 4_000),
            ] {
                let answer = try await AdminClient.signIn(site, with: wrong)
                #expect(answer.status == 401)
                #expect(answer.fields["set-cookie"] == nil)
                #expect(answer.text.contains("role=\"alert\""))
                #expect(wrong.isEmpty || !answer.text.contains(wrong), "it is not shown again")
            }
            let long = String(repeating: "a", count: 20_000)
            #expect(try await AdminClient.signIn(site, with: long).status == 413)
            var last = try await AdminClient.signIn(site, with: gone)
            for _ in 0..<4 { last = try await AdminClient.signIn(site, with: gone) }
            #expect(last.status == 429)
            #expect(last.fields["retry-after"] != nil)
            // Other clients on the same network can still sign in.
            #expect(try await AdminClient.signIn(site, with: good).status == 303)
        }
    }

    @Test func `nobody can be signed in from another site`() async throws {
        try await TestSite.run { site in
            let token = try AdminClient.token(in: site.store)
            for fields in [
                ["Origin": "https://evil.example"], ["Origin": "null"],
                ["Origin": "https://localhost:1"], ["Sec-Fetch-Site": "cross-site"],
                ["Sec-Fetch-Site": "same-site", "Origin": "https://localhost"],
            ] {
                let answer = try await AdminClient.signIn(site, with: token, fields: fields)
                #expect(answer.status == 403, "\(fields)")
                #expect(answer.fields["set-cookie"] == nil)
            }
            for fields in [
                ["Origin": "https://localhost"],
                ["Origin": site.addresses.baseURL.rawValue, "Sec-Fetch-Site": "same-origin"],
            ] {
                let answer = try await AdminClient.signIn(site, with: token, fields: fields)
                #expect(answer.status == 303, "\(fields)")
            }
        }
    }

    @Test func `each sign-in is a session of its own, whatever cookie came with it`() async throws {
        try await TestSite.run { site in
            let token = try AdminClient.token(in: site.store)
            let first = try AdminClient(site, after: await AdminClient.signIn(site, with: token))
            let planted = ["Cookie": "__Host-ota_admin=\(first.cookie)"]
            let second = try AdminClient(
                site,
                after: await AdminClient.signIn(site, with: token, fields: planted),
            )
            #expect(first.cookie != second.cookie)
            #expect(try await first.formCode() != second.formCode())
            let last = first.cookie.last == "0" ? "1" : "0"
            for forged in [
                "", "x", "admin~0~0~9999999999~00", String(first.cookie.dropLast()) + last,
            ] {
                let page = try await WireClient.get(
                    site,
                    "/admin",
                    fields: ["Cookie": "__Host-ota_admin=\(forged)"],
                )
                #expect(page.status == 303)
            }
            let twice = [
                "Cookie": "__Host-ota_admin=\(first.cookie); __Host-ota_admin=\(second.cookie)"
            ]
            #expect(try await WireClient.get(site, "/admin", fields: twice).status == 303)
        }
    }

    @Test func `signing out needs the session's own code`() async throws {
        try await TestSite.run { site in
            let one = try await AdminClient.admin(site)
            let other = try await AdminClient.admin(site)
            let code = try await one.formCode()
            let path = "/admin/sign-out"
            #expect(try await one.post(path, [:]).status == 403)
            #expect(try await one.post(path, ["form": "00"]).status == 403)
            #expect(try await one.post(path, ["form": other.formCode()]).status == 403)
            let foreign = ["Origin": "https://evil.example"]
            #expect(try await one.post(path, ["form": code], fields: foreign).status == 403)
            let out = try await one.post(path, ["form": code])
            #expect(out.status == 303)
            #expect(out.fields["location"] == "/admin/sign-in")
            #expect(out.fields["set-cookie"]?.hasPrefix("__Host-ota_admin=; Max-Age=0") == true)
            // A copy of the cookie no longer works, while another browser's session does.
            #expect(try await one.get("/admin").status == 303)
            #expect(try await other.get("/admin").status == 200)
        }
    }

    @Test func `signing out everywhere ends every session of the token`() async throws {
        try await TestSite.run { site in
            let token = try AdminClient.token(in: site.store)
            let one = try AdminClient(site, after: await AdminClient.signIn(site, with: token))
            let two = try AdminClient(site, after: await AdminClient.signIn(site, with: token))
            let other = try await AdminClient.admin(site)
            let form = ["form": try await one.formCode()]
            #expect(try await one.post("/admin/sign-out-everywhere", form).status == 303)
            #expect(try await one.get("/admin").status == 303)
            #expect(try await two.get("/admin").status == 303)
            #expect(try await other.get("/admin").status == 200)
            #expect(try await AdminClient.signIn(site, with: token).status == 401)
            #expect(try site.store.activity(count: 1).first?.event == .tokenRevoked)
        }
    }

    @Test func `a session ends after twelve hours, and with its token`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            site.clock.advance(by: 11 * 3600)
            #expect(try await admin.get("/admin").status == 200)
            site.clock.advance(by: 3601)
            #expect(try await admin.get("/admin").status == 303)
        }
    }

    @Test func `a link from elsewhere offers to go on with the session that is there`() async throws
    {
        try await TestSite.run { site in
            let path = "/admin/sign-in?to=%2Fadmin%2Factivity"
            let fields = ["Sec-Fetch-Site": "cross-site"]
            let page = try await WireClient.get(site, path, fields: fields)
            #expect(page.text.contains("<a class=\"button second\" href=\"/admin/activity\">"))
            let own = ["Sec-Fetch-Site": "same-origin"]
            let again = try await WireClient.get(site, path, fields: own)
            #expect(!again.text.contains("Continue</a>"))
        }
    }

    @Test func `a base URL with a path keeps everything below it`() async throws {
        try await TestSite.run(configure: { configuration, _ in
            configuration.baseURL = try BaseURL("https://localhost/ota")
        }) { site in
            let away = try await WireClient.get(site, "/admin?page=2")
            #expect(away.fields["location"] == "/ota/admin/sign-in?to=%2Fota%2Fadmin%3Fpage%3D2")
            let token = try AdminClient.token(in: site.store)
            let answer = try await AdminClient.signIn(site, with: token, to: "/ota/admin/activity")
            #expect(answer.fields["location"] == "/ota/admin/activity")
            let cookie = try #require(answer.fields["set-cookie"])
            #expect(cookie.hasPrefix("__Secure-ota_admin=") && cookie.contains("Path=/ota;"))
            // A cookie without the prefix, which another port or a sibling host could set, is ignored.
            let value = cookie.drop { $0 != "=" }.dropFirst().prefix { $0 != ";" }
            let planted = ["Cookie": "ota_admin=\(value)"]
            #expect(try await WireClient.get(site, "/admin", fields: planted).status == 303)
            let own = ["Cookie": "__Secure-ota_admin=\(value)"]
            #expect(try await WireClient.get(site, "/admin", fields: own).status == 200)
        }
    }
}
