import APIDocuments
import Administration
import Bundles
import Cryptography
import Foundation
import Identifiers
import Notices
import Releases
import Store
import Testing

/// Webhooks that an admin adds and removes, in a running server.
@Suite(.timeLimit(.minutes(10)))
struct AdminWebhookTests {
    @Test func `a webhook is added, its key shown once, and removed`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let form = [
                "url": "https://hooks.example.com/a-secret-path", "kind": "json",
                "event.expiring": "on", "app": "com.example.demo",
            ]
            let made = try await admin.shown(after: admin.send("/admin/notices", form))
            let kept = try #require(try site.store.webhooks().webhooks.first)
            let secret = try #require(kept.secret?.text)
            #expect(made.text.contains("<code>\(secret)</code>"))
            #expect(kept.events == [.expiring])
            #expect(kept.apps.map(\.rawValue) == ["com.example.demo"])
            let page = try await admin.get("/admin/notices").text
            #expect(page.contains("https://hooks.example.com/…"))
            #expect(!page.contains(secret) && !page.contains("a-secret-path"))
            site.clock.advance(by: 11)
            #expect(try await admin.send("/admin/notices", form).status == 409)
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
                #expect(!answer.text.contains("--allow") && !answer.text.contains("Http"))
            }
            #expect(try site.store.webhooks().webhooks.count == 1)
            let path = "/admin/notices/\(kept.identifier)/remove"
            #expect(try await admin.post(path, [:]).status == 403)
            let flash = try await admin.flash(by: admin.send(path))
            #expect(flash.contains("Webhook https://hooks.example.com/… removed."))
            #expect(try site.store.webhooks().webhooks.isEmpty)
            site.clock.advance(by: 11)
            #expect(try await admin.send(path).status == 404)
        }
    }

    @Test func `a webhook is limited to channels and groups, and to none that are mistyped`()
        async throws
    {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let group = try await admin.send("/admin/groups", ["group": "qa"])
            #expect(group.status == 303, "\(group.text)")
            site.clock.advance(by: 11)
            let form = [
                "url": "https://hooks.example.com/mine", "kind": "slack",
                "event.release.published": "on", "channels": " beta,stable ", "groups": "qa",
            ]
            for (field, bad) in [
                ("channels", "beta, \"><b>"), ("groups", "no such!"), ("groups", "qb"),
            ] {
                let wrong = form.merging([field: bad]) { $1 }
                let answer = try await admin.send("/admin/notices", wrong)
                #expect([404, 422].contains(answer.status), "\(bad)")
                #expect(answer.text.contains("role=\"alert\"") && !answer.text.contains("<b>\""))
                #expect(
                    answer.text.contains("value=\"https://hooks.example.com/mine\"")
                )
            }
            var aboutNone = form.merging(["event.slots.low": "on"]) { $1 }
            aboutNone["event.release.published"] = nil
            let refused = try await admin.send("/admin/notices", aboutNone)
            #expect(refused.status == 422 && refused.text.contains("gets no slots.low"))
            #expect(try site.store.webhooks().webhooks.isEmpty)
            #expect(try await admin.send("/admin/notices", form).status == 303)
            let kept = try #require(try site.store.webhooks().webhooks.first)
            #expect(kept.channels?.map(\.rawValue) == ["beta", "stable"])
            #expect(kept.groups?.map(\.rawValue) == ["qa"])
            let page = try await admin.get("/admin/notices").text
            #expect(page.contains("channels beta, stable · groups qa"))
        }
    }

    @Test(arguments: [
        ("json", "&quot;event&quot; : &quot;release.published&quot;"),
        ("slack", "&quot;text&quot; : "), ("teams", "AdaptiveCard"),
        ("discord", "&quot;embeds&quot;"),
        ("email", "Ada published Example 1.2.0 (34)"),
        ("custom", "Example 1.2.0 (34) was published"),
    ])
    func `a preview shows what would be sent, and saves nothing`(
        kind: String,
        words: String,
    ) async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let form = [
                "url": "https://hooks.example.com/mine", "kind": kind, "do": "preview",
                "event.expired": "on", "body": kind == "custom" ? #"{"a": "{{title}}"}"# : "",
            ]
            let shown = try await admin.send("/admin/notices", form)
            #expect(shown.status == 200 && shown.text.contains("id=\"preview\""))
            #expect(shown.text.contains(words), "\(shown.text)")
            #expect(shown.text.contains("value=\"https://hooks.example.com/mine\""))
            #expect(try site.store.webhooks().webhooks.isEmpty)
            let bad = ["kind": "custom", "do": "preview", "body": "{"]
            let refused = try await admin.send("/admin/notices", bad)
            #expect(refused.status == 422 && refused.text.contains("role=\"alert\""))
        }
    }

    @Test func `a webhook is paused and resumed on its page and by the API`() async throws {
        try await TestSite.run { site in
            let draft = WebhookDraft(url: "https://hooks.example.com/a", kind: .json, by: "a test")
            var made: Webhook?
            try site.store.changeWebhooks {
                made = try $0.add(draft, at: site.clock.now, random: randomBytes)
            }
            let webhook = try #require(made)
            let admin = try await AdminClient.admin(site)
            let path = "/admin/notices/\(webhook.identifier)"
            #expect(try await admin.post(path + "/pause", [:]).status == 403)
            let paused = try await admin.flash(by: admin.send(path + "/pause"))
            #expect(paused.contains("Webhook https://hooks.example.com/… paused."))
            let kept = try #require(try site.store.webhooks()[webhook.identifier])
            let since = try #require(kept.paused)
            #expect(kept.secret == webhook.secret)
            let page = try await admin.get("/admin/notices").text
            #expect(page.contains("Paused since ") && page.contains(path + "/resume"))
            #expect(!page.contains(path + "/test") && !page.contains(path + "/pause"))
            #expect([409, 422].contains(try await admin.send(path + "/test").status))
            let waiting = try site.store.notices().outbox.waiting
            #expect(!waiting.contains { $0.notice.event == .test })
            let api = try APIClient.holding("admin", on: site)
            let address = "/webhooks/\(webhook.identifier)"
            let again = try await api.post(address + "/pause", "{}")
            let document = try again.document(PausedWebhookDocument.self)
            #expect(!document.changed && document.webhook.status == .paused)
            let shown = try #require(document.webhook.paused)
            #expect(abs(shown.timeIntervalSince(since)) < 1, "the date of the first pause")
            for verb in ["test", "retry"] {
                let refused = try await api.post(address + "/" + verb, "{}")
                #expect(refused.status == 409 && refused.refusal == "webhook.paused", "\(verb)")
            }
            let resumed = try await api.post(address + "/resume", "{}")
            #expect(try resumed.document(PausedWebhookDocument.self).webhook.paused == nil)
            let flash = try await admin.flash(by: admin.send(path + "/resume"))
            #expect(flash.contains("Webhook https://hooks.example.com/… resumed."))
            #expect(try await admin.send("/admin/notices/00000000/pause").status == 404)
            #expect(try await api.post("/webhooks/00000000/resume", "{}").status == 404)
            let activity = try site.store.activity(count: 10).filter {
                [.webhookPaused, .webhookResumed].contains($0.event)
            }
            #expect(activity.map(\.event) == [.webhookResumed, .webhookPaused])
            #expect(activity.allSatisfy { $0.subject == "hooks.example.com" })
        }
    }

    @Test func `a webhook that fails is shown as failing, and what waits can be sent at once`()
        async throws
    {
        try await TestSite.run { site in
            var draft = WebhookDraft(url: "http://127.0.0.1:1/", kind: .slack, by: "a test")
            draft.allowsPrivate = true
            draft.allowsPlain = true
            var made: Webhook?
            try site.store.changeWebhooks {
                made = try $0.add(draft, at: site.clock.now, random: randomBytes)
            }
            let webhook = try #require(made)
            let admin = try await AdminClient.admin(site)
            let path = "/admin/notices/\(webhook.identifier)"
            #expect(try await admin.get("/admin/notices").text.contains("Nothing sent yet"))
            let flash = try await admin.flash(by: admin.send(path + "/test"))
            #expect(flash.contains("Sending a test to http://127.0.0.1:1/ now."))
            let tested = try #require(try site.store.activity(count: 1).first)
            #expect((tested.event, tested.actor) == (.webhookTested, "root0"))
            var page = ""
            for _ in 0..<100 where !page.contains("Failing since") {
                try await Task.sleep(for: .milliseconds(100))
                page = try await admin.get("/admin/notices").text
            }
            #expect(page.contains("· connection refused · 1 queued · next attempt in"), "\(page)")
            #expect(page.contains("dot bad"))
            let retried = try await admin.flash(by: admin.send(path + "/retry"))
            #expect(retried.contains("Sending 1 queued message to http://127.0.0.1:1/ now."))
            #expect(try await admin.send("/admin/notices/00000000/retry").status == 404)
            #expect(try await admin.post(path + "/retry", [:]).status == 403)
            let overview = try await admin.get("/admin").text
            #expect(overview.contains("The webhook http://127.0.0.1:1/ is failing"))
            let api = try APIClient.holding("admin", on: site)
            let answer = try await api.get("/webhooks/\(webhook.identifier)")
            let document = try answer.document(WebhookDetailDocument.self)
            #expect(document.webhook.status == .failing && document.webhook.next != nil)
            #expect(document.webhook.failing?.reason == "connection refused")
            let sent = try await api.post("/webhooks/\(webhook.identifier)/retry", "{}")
            #expect(try sent.document(RetriedWebhookDocument.self).retried == 1)
            #expect(try await api.post("/webhooks/00000000/retry", "{}").status == 404)
        }
    }
}
