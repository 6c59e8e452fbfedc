import Foundation
import Notices
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// A webhook that an admin has paused: what is sent, what is queued, and what is kept.
@Suite(.timeLimit(.minutes(10)))
struct PausedWebhookTests {
    private func setPaused(_ isPaused: Bool, _ webhook: Webhook, _ desk: NoticeDesk) throws {
        try desk.store.changeWebhooks {
            _ = try $0.change(webhook.identifier) { $0.setPaused(isPaused, at: desk.now) }
        }
    }

    @Test func `nothing is sent or queued during the pause, and what was queued is sent after it`()
        async throws
    {
        try await NoticeDesk.run { desk in
            let webhook = try desk.addWebhook()
            try desk.queueSomething()
            let queued = try desk.store.notices().outbox.waiting
            #expect(queued.count == 1)
            try setPaused(true, webhook, desk)
            #expect(try desk.service().take().isEmpty)
            try desk.queueSomething()
            #expect(try desk.store.notices().outbox.waiting == queued)
            try setPaused(false, webhook, desk)
            #expect(try desk.announced().isEmpty, "events of the pause are not sent later")
            let begun = try desk.service().take()
            #expect(begun.map(\.0.identifier) == queued.map(\.identifier))
        }
    }

    @Test func `paused webhooks with full queues do not delay an active one`() async throws {
        try await NoticeDesk.run { desk in
            var policy = DeliveryPolicy.quick
            policy.attemptsAtOnce = 1
            let paused = try desk.addWebhook("https://hooks.example.com/a")
            let active = try desk.addWebhook("https://hooks.example.com/b")
            try desk.queueSomething()
            try setPaused(true, paused, desk)
            let begun = try desk.service(policy: policy).take()
            #expect(begun.map(\.1.identifier) == [active.identifier])
        }
    }

    @Test func `a reminder that no webhook was sent during the pause is sent after it`()
        async throws
    {
        try await NoticeDesk.run { desk in
            _ = try StoredRelease().publish(into: desk.store)
            let webhook = try desk.addWebhook()
            _ = try desk.announced()
            try setPaused(true, webhook, desk)
            desk.advance(days: 71)
            #expect(try desk.announced().isEmpty)
            try setPaused(false, webhook, desk)
            #expect(try desk.announced().map(\.event) == [.expiring])
        }
    }

    @Test func `pausing twice keeps the first date, and a pause keeps the secret`() async throws {
        try await NoticeDesk.run { desk in
            let webhook = try desk.addWebhook()
            var register = try desk.store.webhooks()
            let first = try register.change(webhook.identifier) {
                $0.setPaused(true, at: desk.now)
            }
            #expect(first.result && first.webhook.paused == desk.now)
            #expect(first.webhook.secret == webhook.secret)
            let second = try register.change(webhook.identifier) {
                $0.setPaused(true, at: desk.now + 60)
            }
            #expect(!second.result && second.webhook == first.webhook)
            let resumed = try register.change(webhook.identifier) {
                $0.setPaused(false, at: desk.now + 60)
            }
            #expect(resumed.result && resumed.webhook == webhook)
            #expect(throws: WebhookRefusal.unknown("00000000")) {
                try register.change("00000000") { $0.setPaused(true, at: desk.now) }
            }
        }
    }

    @Test func `a register of an earlier version has no paused webhooks`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook()
            let data = try JSONEncoder().encode(desk.store.webhooks())
            #expect(!String(decoding: data, as: UTF8.self).contains("paused"))
            let read = try JSONDecoder().decode(WebhookRegister.self, from: data)
            #expect(try read == desk.store.webhooks())
            #expect(read.webhooks.allSatisfy { $0.paused == nil })
        }
    }
}
