import Access
import Foundation
import Store
import Testing

@testable import AdminSite

/// Tokens that an admin creates and revokes, and when a repeated form counts as the same one.
@Suite(.timeLimit(.minutes(10)))
struct AdminTokenTests {
    @Test func `a form that is sent twice makes one thing, and is answered once`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let form = ["name": "ci", "scope": "read", "days": "30"]
            // Concurrently, as after a double click, and once more.
            async let one = admin.send("/admin/tokens", form)
            async let other = admin.send("/admin/tokens", form)
            let answers = try await [one, other, admin.send("/admin/tokens", form)]
            #expect(answers.map(\.status) == [303, 303, 303])
            #expect(Set(answers.map { $0.fields["location"] }).count == 1)
            let made = try site.store.tokens().tokens.filter { $0.name == "ci" }
            #expect(made.count == 1)
            let page = try await admin.shown(after: answers[2])
            #expect(page.text.contains("<code>ota_"), "the secret of the one that was made")
            // Another form, another session or a later time is another request.
            let different = form.merging(["days": "31"]) { $1 }
            #expect(try await admin.send("/admin/tokens", different).status != 303)
            let ben = try await AdminClient.admin(site)
            #expect(try await ben.send("/admin/tokens", form).status == 409)
            let path = "/admin/tokens/\(made[0].identifier)/revoke"
            for _ in 0..<2 { #expect(try await admin.send(path).status == 303) }
            site.clock.advance(by: 11)
            #expect(try await admin.send(path).status == 404)
        }
    }

    @Test func `a token is made, shown once, used and revoked`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let form = ["name": "ci", "scope": "publish", "app": "com.example.demo", "days": "30"]
            let made = try await admin.shown(after: admin.send("/admin/tokens", form))
            #expect(made.fields["cache-control"] == "private, no-store")
            let start = try #require(made.text.range(of: "<code>ota_")).lowerBound
            let secret = String(made.text[start...].dropFirst(6).prefix { $0 != "<" })
            #expect(try await !admin.get("/admin/tokens").text.contains(secret))
            let kept = try #require(try site.store.tokens().tokens.last)
            #expect(kept.scopes.map(\.description) == ["publish:com.example.demo"])
            #expect(kept.expires.map { abs($0.timeIntervalSinceNow - 30 * 86_400) < 60 } == true)
            #expect(try await AdminClient.signIn(site, with: secret).status == 303)
            site.clock.advance(by: 11)
            #expect(try await admin.send("/admin/tokens", form).status == 409)
            let revoked = try await admin.send("/admin/tokens/\(kept.identifier)/revoke")
            #expect(revoked.status == 303)
            let page = try await admin.flash(by: revoked)
            #expect(page.contains("Token ci revoked."))
            #expect(try await AdminClient.signIn(site, with: secret).status == 401)
            site.clock.advance(by: 11)
            #expect(try await admin.send("/admin/tokens/\(kept.identifier)/revoke").status == 404)
            #expect(try await admin.send("/admin/tokens/00000000/revoke").status == 404)
            let activity = try await admin.get("/admin/activity").text
            #expect(activity.contains("created the token ci (publish:com.example.demo)"))
            #expect(activity.contains("revoked the token ci"))
            let log = try await site.logText()
            #expect(!log.contains(secret.suffix(64)))
        }
    }

    @Test(arguments: [
        ["name": "", "scope": "read", "days": "30"],
        ["name": " x", "scope": "read", "days": "30"],
        ["name": "a\u{202E}b", "scope": "read", "days": "30"],
        ["name": String(repeating: "x", count: 61), "scope": "read", "days": "30"],
        ["name": "x", "scope": "root", "days": "30"], ["name": "x", "days": "30"],
        ["name": "x", "scope": "read", "days": "31"], ["name": "x", "scope": "read"],
        ["name": "x", "scope": "admin", "app": "com.example.demo", "days": "7"],
        ["name": "x", "scope": "read", "app": "../x", "days": "7"],
        ["name": "x", "scope": "read", "app": "\"><b>", "days": "7"],
    ])
    func `a token that cannot be is refused on its form`(form: [String: String]) async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let answer = try await admin.send("/admin/tokens", form)
            #expect([409, 422].contains(answer.status), "\(answer.status)")
            #expect(answer.text.contains("role=\"alert\""))
            #expect(!answer.text.contains("<b>\""))
            #expect(try site.store.tokens().tokens.count == 1)
        }
    }

    @Test func `a form counts with its session's code and from our own pages only`() async throws {
        try await TestSite.run { site in
            let one = try await AdminClient.admin(site)
            let other = try await AdminClient.admin(site)
            let form = ["name": "x", "scope": "read", "days": "7"]
            let code = try await one.formCode()
            let foreign = try await other.formCode()
            #expect(try await one.post("/admin/tokens", form).status == 403)
            for wrong in ["", "0", foreign, String(code.dropLast()), code + "00"] {
                let answer = try await one.post(
                    "/admin/tokens",
                    form.merging(["form": wrong]) { $1 },
                )
                #expect(answer.status == 403, "\(wrong)")
            }
            let right = form.merging(["form": code]) { $1 }
            for fields in [
                ["Origin": "https://evil.example"], ["Origin": "null"],
                ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "cross-site"],
                ["Sec-Fetch-Site": "none"],
            ] {
                #expect(try await one.post("/admin/tokens", right, fields: fields).status == 403)
            }
            #expect(try site.store.tokens().tokens.count == 2)
            let json = ["Content-Type": "text/plain"]
            #expect(try await one.post("/admin/tokens", right, fields: json).status == 400)
            let own = ["Origin": "https://localhost", "Sec-Fetch-Site": "same-origin"]
            #expect(try await one.post("/admin/tokens", right, fields: own).status == 303)
        }
    }

    @Test func `a secret is shown to its own session, once, and for a minute`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let other = try await AdminClient.admin(site)
            func create(_ name: String) async throws -> String {
                let form = ["name": name, "scope": "read", "days": "7"]
                let answer = try await admin.send("/admin/tokens", form)
                #expect(answer.status == 303)
                return try #require(answer.fields["location"])
            }
            let path = try await create("a")
            #expect(path.hasPrefix("/admin/tokens?made="))
            #expect(try await !other.get(path).text.contains("<code>ota_"))
            #expect(try await admin.get(path).text.contains("<code>ota_"))
            let again = try await admin.get(path)
            #expect(again.status == 200 && !again.text.contains("<code>ota_"))
            #expect(again.text.contains("The token was shown once"))
            #expect(try site.store.tokens().tokens.count == 3, "a reload creates nothing")
            let late = try await create("b")
            site.clock.advance(by: OneTimeSecrets.lifetime + 1)
            #expect(try await !admin.get(late).text.contains("<code>ota_"))
            #expect(try await admin.get("/admin/tokens?made=%00").status == 200)
            #expect(try await !admin.get("/admin/tokens?made=ffffffff").text.contains("shown once"))
        }
    }

    @Test func `words that an action left are shown to its own session only`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let other = try await AdminClient.admin(site)
            _ = try await admin.send("/admin/tokens", ["name": "x", "scope": "read", "days": "7"])
            let identifier = try #require(try site.store.tokens().tokens.last?.identifier)
            let answer = try await admin.send("/admin/tokens/\(identifier)/revoke")
            let flash = try #require(answer.fields["set-cookie"]).prefix { $0 != ";" }
            for (cookie, isShown) in [
                ("__Host-ota_admin=\(admin.cookie); \(flash)", true),
                ("__Host-ota_admin=\(other.cookie); \(flash)", false),
                ("__Host-ota_admin=\(admin.cookie); __Host-ota_flash=3c623e.00", false),
            ] {
                let page = try await WireClient.get(
                    site,
                    "/admin/tokens",
                    fields: ["Cookie": cookie],
                )
                #expect(page.text.contains(" revoked.") == isShown)
            }
        }
    }
}
