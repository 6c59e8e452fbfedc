import Foundation
import Notices
import Releases
import Store
import TestSupport
import Testing

/// What is known of a failing webhook, for how long, and what happens to its waiting notices.
@Suite(
    .enabled(if: WebhookReceiver.python != nil, "there is no Python"),
    .timeLimit(.minutes(10)),
)
struct FailingWebhookTests {
    private func run(
        _ path: String,
        _ body: (NoticeDesk, WebhookReceiver, Webhook) async throws -> Void,
    ) async throws {
        try await NoticeDesk.run { desk in
            try await WebhookReceiver.run(in: desk.folder) { receiver in
                let webhook = try desk.addWebhook(at: receiver, path)
                try desk.queueSomething()
                try await body(desk, receiver, webhook)
            }
        }
    }

    /// Advances the clock to each next attempt until `date`.
    private func pass(
        until date: Date,
        _ desk: NoticeDesk,
        _ webhook: Webhook,
        with service: NoticeService,
    ) async throws {
        while let next = try desk.store.notices().outbox.nextAttempt(for: webhook.identifier),
            next <= date
        {
            desk.set(max(next, desk.now))
            try await desk.sendOnce(with: service)
        }
        desk.set(date)
    }

    @Test func `a webhook fails since its first failure, and works again from a success on`()
        async throws
    {
        try await run("/flaky/3") { desk, receiver, webhook in
            let service = desk.service()
            let start = desk.now
            #expect(try desk.store.notices().outbox.failure(of: webhook.identifier) == nil)
            try await desk.sendOnce(with: service)
            desk.set(start + 30)
            try await desk.sendOnce(with: service)
            var outbox = try desk.store.notices().outbox
            let failure = try #require(outbox.failure(of: webhook.identifier))
            #expect(failure.since == start && failure.last == start + 30)
            #expect(failure.status == 500 && failure.cause == "HTTP 500")
            let next = try #require(outbox.nextAttempt(for: webhook.identifier))
            #expect(next > start + 30)
            try await pass(until: start + 3600, desk, webhook, with: service)
            outbox = try desk.store.notices().outbox
            #expect(outbox.failure(of: webhook.identifier) == nil)
            #expect(outbox.nextAttempt(for: webhook.identifier) == nil)
            #expect(try receiver.requests.count == 4)
        }
    }

    @Test func `five hundreds for an hour lose nothing, and repeat nothing that arrived`()
        async throws
    {
        // Three notices with five attempts each within the hour: at 0 s, 10 s, 70 s, 370 s and 2170 s.
        try await run("/flaky/15") { desk, receiver, webhook in
            let random: @Sendable (Int) -> [UInt8] = { count in
                count == 1 ? [128] : (0..<count).map { _ in UInt8.random(in: 0...255) }
            }
            let service = desk.service(random: random)
            let start = desk.now
            for number in 2...3 {
                try desk.store.record(
                    Activity(
                        date: start,
                        actor: "enrolment",
                        event: .deviceEnrolled,
                        subject: "Phone \(number)",
                    )
                )
            }
            try desk.service(random: random).announce()
            let queued = try desk.store.notices().outbox.waiting.map(\.identifier)
            #expect(queued.count == 3)
            try await pass(until: start + 3600, desk, webhook, with: service)
            let outbox = try desk.store.notices().outbox
            #expect(outbox.waiting.map(\.attempts) == [5, 5, 5])
            #expect(outbox.failure(of: webhook.identifier)?.since == start)
            try await pass(until: start + 4 * 3600, desk, webhook, with: service)
            let requests = try receiver.requests
            #expect(requests.count == 18)
            #expect(requests.suffix(3).compactMap(\.delivery) == queued, "in order, once each")
            #expect(try desk.store.notices().outbox.waiting.isEmpty)
            #expect(
                try desk.store.notices().outbox.log.map(\.outcome)
                    == [.delivered, .delivered, .delivered]
            )
        }
    }

    @Test func `what waits is sent at once when somebody asks, with all attempts again`()
        async throws
    {
        try await run("/flaky/5") { desk, receiver, webhook in
            let service = desk.service()
            for _ in 0..<2 {
                try await desk.sendOnce(with: service)
                desk.set(desk.now + 20)
            }
            desk.set(desk.now - 5)
            #expect(try service.take().isEmpty, "the next attempt is later")
            #expect(try desk.store.retryDeliveries(to: webhook.identifier, at: desk.now) == 1)
            try await desk.sendOnce(with: service)
            let waiting = try #require(desk.store.notices().outbox.waiting.first)
            #expect(waiting.attempts == 1)
            #expect(try receiver.requests.count == 3)
            #expect(try desk.store.retryDeliveries(to: "00000000", at: desk.now) == 0)
        }
    }

    @Test func `a test that arrives brings what waits along, and one that does not is a failure`()
        async throws
    {
        try await run("/flaky/2") { desk, receiver, webhook in
            let sender = WebhookSender(policy: .quick, clock: { desk.now })
            let failed = try await desk.store.tryOut(
                webhook,
                by: "ada",
                with: sender,
                at: desk.now,
            )
            #expect(failed.outcome == .failed)
            var outbox = try desk.store.notices().outbox
            #expect(outbox.failure(of: webhook.identifier)?.status == 500)
            try await desk.sendOnce(with: desk.service())
            let arrived = try await desk.store.tryOut(
                webhook,
                by: "ada",
                with: sender,
                at: desk.now + 1,
            )
            #expect(arrived.outcome == .delivered)
            outbox = try desk.store.notices().outbox
            #expect(outbox.failure(of: webhook.identifier) == nil)
            #expect(outbox.nextAttempt(for: webhook.identifier) == desk.now + 1)
        }
    }

    @Test func `a queue of a backup is sent by whoever restores it, under the same identifiers`()
        async throws
    {
        try await run("/flaky/1") { desk, receiver, webhook in
            try await desk.sendOnce(with: desk.service())
            let copy = desk.folder.appending(path: "copy")
            try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: desk.folder.appending(path: "store"),
                to: copy.appending(path: "store"),
            )
            // A backup restored a week later: the waiting notices are sent, and nothing is announced twice.
            let restored = try NoticeDesk(in: copy, at: desk.now + 7 * 86_400)
            #expect(
                try restored.store.notices().outbox.failure(of: webhook.identifier)?.status == 500
            )
            let service = restored.service()
            try service.announce()
            try await restored.sendOnce(with: service)
            try await restored.sendOnce(with: service)
            let requests = try receiver.requests
            #expect(requests.count == 2 && Set(requests.map(\.delivery)).count == 1)
        }
    }

    @Test func `a webhook that is removed takes its failure along`() async throws {
        try await run("/500") { desk, _, webhook in
            try await desk.sendOnce(with: desk.service())
            try desk.store.changeWebhooks { try $0.remove(webhook.identifier) }
            try desk.service().announce()
            #expect(try desk.store.notices().outbox.failure(of: webhook.identifier) == nil)
        }
    }
}
