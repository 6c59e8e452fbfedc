import Bundles
import Foundation
import Identifiers
import Notices
import Releases
import Store
import StoreFixtures
import Testing

/// The queue of each webhook: only what it subscribed to, limited in size, in words that reveal nothing and
/// contain no markup.
struct NoticeQueueTests {
    @Test func `a webhook gets what it asked for`() async throws {
        try await NoticeDesk.run { desk in
            let forks = try StoredRelease().identifier
            let all = try desk.addWebhook("https://a.example.com/")
            let expiring = try desk.addWebhook("https://b.example.com/") { $0.events = [.expiring] }
            let own = try desk.addWebhook("https://c.example.com/") { $0.apps = [forks] }
            let other = try desk.addWebhook("https://d.example.com/") {
                $0.apps = [BundleIdentifier("com.example.other")].compactMap(\.self)
            }
            _ = try desk.announced()
            var release = StoredRelease()
            release.date = desk.now
            _ = try release.publish(into: desk.store)
            try desk.queueSomething()
            desk.advance(days: 71)
            _ = try desk.announced()
            let waiting = try desk.store.notices().outbox.waiting
            func events(_ webhook: Webhook) -> [NoticeEvent] {
                waiting.filter { $0.webhook == webhook.identifier }.map(\.notice.event)
            }
            #expect(events(all) == [.releasePublished, .deviceEnrolled, .expiring])
            #expect(events(expiring) == [.expiring])
            #expect(events(own) == [.releasePublished, .expiring])
            #expect(events(other).isEmpty)
            try desk.store.changeWebhooks { try $0.remove(all.identifier) }
            _ = try desk.announced()
            #expect(try desk.store.notices().outbox.waiting.count == 3)
        }
    }

    @Test func `a queue that nobody empties stays short`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            _ = try desk.announced()
            for number in 0..<(Outbox.longestQueue + 30) {
                try desk.store.record(
                    Activity(
                        date: desk.now,
                        actor: "enrolment",
                        event: .deviceEnrolled,
                        subject: "Phone \(number)",
                    )
                )
            }
            _ = try desk.announced()
            _ = try desk.announced()
            let outbox = try desk.store.notices().outbox
            #expect(outbox.waiting.count == Outbox.longestQueue)
            #expect(outbox.waiting.last?.notice.device == "Phone \(Outbox.longestQueue + 29)")
            #expect(outbox.log.count == Outbox.longestLog)
            #expect(outbox.log.allSatisfy { $0.outcome == .dropped })
        }
    }

    @Test func `a device is named by its name and never by its identifier`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            _ = try desk.announced()
            let udid = "00008120-000A1B2C3D4E5F67"
            try desk.store.record(
                Activity(
                    date: desk.now,
                    actor: "enrolment",
                    event: .deviceEnrolled,
                    subject: "Phone \(udid)",
                )
            )
            let waiting = try #require(
                {
                    _ = try desk.announced()
                    return try desk.store.notices().outbox.waiting.first
                }()
            )
            for kind in Webhook.Kind.allCases {
                let template = try kind.needsBody ? WebhookTemplate(#"{"a": "{{device}}"}"#) : nil
                let body = try WebhookPayload.body(of: waiting, for: kind, template: template)
                let text = String(decoding: body, as: UTF8.self).replacing("\\", with: "")
                #expect(!text.contains(udid) && text.contains("(device)"))
            }
            // The test itself wrote this identifier, so it is deleted before the search at the end of all
            // tests.
            let journals = desk.folder.appending(path: "store/activity")
            try FileManager.default.removeItem(at: journals)
        }
    }

    /// A notice with a name that would be a mention, a link and a date if a client interpreted it.
    private static func hostile(_ desk: NoticeDesk) throws -> Delivery {
        try desk.addWebhook()
        _ = try desk.announced()
        try desk.store.record(
            Activity(
                date: desk.now,
                actor: "enrolment",
                event: .deviceEnrolled,
                subject:
                    "<at>all</at> <@1> @everyone [tap](https://evil.example) **b** {{DATE(x)}}",
            )
        )
        _ = try desk.announced()
        return try #require(desk.store.notices().outbox.waiting.first)
    }

    @Test func `a card for Teams has words in which nothing is read, and a button`() async throws {
        try await NoticeDesk.run { desk in
            let waiting = try Self.hostile(desk)
            let body = try WebhookPayload.body(of: waiting, for: .teams)
            let message = try #require(
                JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
            )
            #expect(message["type"] as? String == "message")
            let attachments = try #require(message["attachments"] as? [[String: Any]])
            let attachment = try #require(attachments.first)
            #expect(attachments.count == 1)
            #expect(
                attachment["contentType"] as? String == "application/vnd.microsoft.card.adaptive"
            )
            let card = try #require(attachment["content"] as? [String: Any])
            #expect(
                card["type"] as? String == "AdaptiveCard" && card["version"] as? String == "1.4"
            )
            let blocks = try #require(card["body"] as? [[String: Any]])
            #expect(blocks.count >= 2)
            for block in blocks {
                #expect(block["type"] as? String == "RichTextBlock")
                for run in try #require(block["inlines"] as? [[String: Any]]) {
                    #expect(run["type"] as? String == "TextRun")
                    #expect((run["text"] as? String)?.contains("{{") == false)
                }
            }
            let actions = try #require(card["actions"] as? [[String: Any]])
            #expect(actions.first?["type"] as? String == "Action.OpenUrl")
            #expect(
                actions.first?["url"] as? String == "https://ota.example.com/admin/devices"
            )
        }
    }

    @Test func `an embed for Discord escapes what a stranger named, and mentions no one`()
        async throws
    {
        try await NoticeDesk.run { desk in
            let waiting = try Self.hostile(desk)
            let body = try WebhookPayload.body(of: waiting, for: .discord)
            let message = try #require(
                JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
            )
            let mentions = try #require(message["allowed_mentions"] as? [String: [String]])
            #expect(mentions == ["parse": []])
            let embeds = try #require(message["embeds"] as? [[String: Any]])
            let embed = try #require(embeds.first)
            #expect(embeds.count == 1)
            let title = try #require(embed["title"] as? String)
            #expect(title.contains(#"\<\@1\>"#) && title.contains(#"\*\*b\*\*"#))
            #expect(title.contains(#"\[tap\]\(https\:"#))
            #expect(embed["url"] as? String == "https://ota.example.com/admin/devices")
            #expect(title.utf16.count <= 256)
            #expect((embed["description"] as? String)?.utf16.count ?? 5000 <= 4096)
        }
    }

    @Test func `nothing that a stranger named speaks Slack's language`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook(kind: .slack)
            _ = try desk.announced()
            try desk.store.record(
                Activity(
                    date: desk.now,
                    actor: "enrolment",
                    event: .deviceEnrolled,
                    subject: "<!channel> <https://evil.example|tap> & *bold*\u{202E}\n",
                )
            )
            _ = try desk.announced()
            let waiting = try #require(desk.store.notices().outbox.waiting.first)
            let body = try WebhookPayload.body(of: waiting, for: .slack)
            let message = try JSONDecoder().decode([String: String].self, from: Data(body))
            let text = try #require(message["text"])
            #expect(!text.contains("<!") && !text.contains("<https://evil"))
            #expect(text.contains("&lt;!channel&gt;") && text.contains("&amp;"))
            #expect(!text.contains("*bold*") && !text.contains("\u{202E}"))
            #expect(text.hasSuffix("<https://ota.example.com/admin/devices|Open>"))
        }
    }
}
