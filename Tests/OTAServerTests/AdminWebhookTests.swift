import Bundles
import Notices
import Testing

/// Webhooks that an admin adds and removes, in a running server.
@Suite(.timeLimit(.minutes(3)))
struct AdminWebhookTests {
    @Test func `a webhook is added, its key shown once, and removed`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let form = [
                "url": "https://hooks.example.com/a-secret-path", "kind": "json",
                "event.expiring": "on", "app": "com.example.demo",
            ]
            let made = try await admin.send("/admin/notices", form)
            #expect(made.status == 201)
            let kept = try #require(try site.store.webhooks().webhooks.first)
            let secret = try #require(kept.secret?.text)
            #expect(made.text.contains("<code>\(secret)</code>"))
            #expect(kept.events == [.expiring])
            #expect(kept.apps.map(\.rawValue) == ["com.example.demo"])
            let page = try await admin.get("/admin/notices").text
            #expect(page.contains("https://hooks.example.com/…"))
            #expect(!page.contains(secret) && !page.contains("a-secret-path"))
            #expect(try await admin.send("/admin/notices", form).status == 422)
            for bad in [
                ["url": "http://169.254.169.254/", "kind": "slack", "event.expired": "on"],
                ["url": "https://127.0.0.1/", "kind": "json", "event.expired": "on"],
                ["url": "\"><b>", "kind": "slack", "event.expired": "on"],
                ["url": "https://a.example.com/", "kind": "smtp", "event.expired": "on"],
                ["url": "https://a.example.com/", "kind": "slack"],
                [
                    "url": "https://a.example.com/", "kind": "slack", "event.expired": "on",
                    "app": "x",
                ],
            ] {
                let answer = try await admin.send("/admin/notices", bad)
                #expect([404, 409, 422].contains(answer.status), "\(bad)")
                #expect(!answer.text.contains("<b>\""))
            }
            #expect(try site.store.webhooks().webhooks.count == 1)
            let path = "/admin/notices/\(kept.identifier)/remove"
            #expect(try await admin.post(path, [:]).status == 403)
            let told = try await admin.told(by: admin.send(path))
            #expect(told.contains("https://hooks.example.com/… is told nothing any more."))
            #expect(try site.store.webhooks().webhooks.isEmpty)
            #expect(try await admin.send(path).status == 404)
        }
    }
}
