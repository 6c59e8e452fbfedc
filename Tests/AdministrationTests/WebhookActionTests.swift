import APIDocuments
import Administration
import Foundation
import Identifiers
import Notices
import Releases
import Store
import Testing

/// Admins create and end webhooks.
struct WebhookActionTests {
    @Test func `a webhook is made, entered in the journal without its path, and removed`()
        async throws
    {
        try await Office.open { office in
            let (app, _) = try office.publish()
            var new = NewWebhook(url: "https://hooks.example.com/T0/secret", kind: .json)
            new.apps = [app.slug.rawValue]
            new.events = [.expired, .expiring]
            let local = LocalAdministration(office.ada)
            let added = try local.perform(AddWebhook(new))
            let made = added.webhook
            #expect(made.apps == [app.bundleIdentifier.rawValue])
            #expect(added.secret?.utf8.count == 64)
            let shown = try #require(local.perform(ListWebhooks()).webhooks.first)
            #expect(shown == made)
            #expect(shown.url == "https://hooks.example.com/…" && shown.signed)
            #expect(shown.events == [.expiring, .expired])
            _ = try local.perform(RemoveWebhook(made.identifier))
            #expect(throws: WebhookRefusal.unknown(made.identifier)) {
                try local.perform(RemoveWebhook(made.identifier))
            }
            let journal = try office.store.activity(count: 2)
            #expect(journal.map(\.event) == [.webhookRemoved, .webhookAdded])
            #expect(journal.map(\.subject) == ["hooks.example.com", "hooks.example.com"])
            #expect(journal.map(\.detail) == [made.identifier, made.identifier])
        }
    }

    @Test func `what cannot be is refused, and nothing is kept`() async throws {
        try await Office.open { office in
            let url = "https://hooks.example.com/"
            var short = NewWebhook(url: url, kind: .json)
            short.secret = "short"
            var none = NewWebhook(url: url, kind: .json)
            none.events = []
            var nobody = NewWebhook(url: url, kind: .json)
            nobody.apps = ["nobody"]
            let (app, _) = try office.publish()
            var never = NewWebhook(url: url, kind: .json)
            never.apps = [app.slug.rawValue]
            never.events = [.slotsLow, .buildFailed]
            let all: [(NewWebhook, String)] = [
                (short, "16 to 256"), (none, "no event"), (nobody, "no app"),
                (never, "no slots.low, build.failed"),
                (NewWebhook(url: "http://hooks.example.com/", kind: .slack), "no TLS"),
                (NewWebhook(url: "https://192.168.1.1/", kind: .slack), "private address"),
                (NewWebhook(url: "https://169.254.169.254/", kind: .slack), "cloud metadata"),
                (NewWebhook(url: "https://127.1/", kind: .slack), "number"),
            ]
            let local = LocalAdministration(office.ada)
            for (new, words) in all {
                let error = #expect(throws: (any Error).self) {
                    try local.perform(AddWebhook(new))
                }
                let reason = "\(try #require(error))"
                #expect(reason.contains(words), "\(new.url)")
            }
            #expect(try office.store.webhooks().webhooks.isEmpty)
        }
    }

    @Test func `a second webhook of a kind at one address is refused`() async throws {
        try await Office.open { office in
            let new = NewWebhook(url: "https://hooks.example.com/", kind: .slack)
            let local = LocalAdministration(office.ada)
            let made = try local.perform(AddWebhook(new))
            #expect(made.secret == nil)
            #expect(throws: WebhookRefusal.alreadyThere("https://hooks.example.com/")) {
                try local.perform(AddWebhook(new))
            }
            _ = try local.perform(AddWebhook(NewWebhook(url: new.url, kind: .json)))
        }
    }
}
