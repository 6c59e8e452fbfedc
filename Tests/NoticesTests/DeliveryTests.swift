import Cryptography
import Foundation
import Notices
import Synchronization
import TestSupport
import Releases
import Testing

/// Deliveries to a real receiver that responds correctly, wrongly, or not at all.
@Suite(
    .enabled(if: WebhookReceiver.python != nil, "there is no Python"),
    .timeLimit(.minutes(10)),
)
struct DeliveryTests {
    /// Queues a notice for a webhook at `path`.
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

    @Test func `a notice arrives signed, and openssl comes to the same`() async throws {
        try await run("/ok") { desk, receiver, webhook in
            try await desk.sendOnce(with: desk.service())
            let request = try #require(receiver.requests.first)
            #expect(request.verified)
            #expect(request.event == "device.enrolled")
            let body = try #require(
                try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
            )
            #expect(body["event"] as? String == "device.enrolled")
            #expect(body["delivery"] as? String == request.delivery)
            #expect(body["schema"] as? Int == 1 && body["device"] as? String == "A phone")
            #expect(request.timestamp == "\(Int(desk.now.timeIntervalSince1970))")
            let file = desk.folder.appending(path: "signed")
            try Data("\(request.timestamp).\(request.body)".utf8).write(to: file)
            let outcome = try await Program(path: "/usr/bin/openssl").run(
                ["dgst", "-sha256", "-hmac", WebhookReceiver.secret, file.path()],
                in: desk.folder,
            )
            let code = outcome.output.split(separator: " ").last.map {
                $0.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            #expect(request.signature == "sha256=\(try #require(code))")
            let outbox = try desk.store.notices().outbox
            #expect(outbox.waiting.isEmpty)
            let record = try #require(outbox.log.last)
            #expect(record.outcome == .delivered && record.status == 200 && record.attempts == 1)
            #expect(record.delivery == request.delivery && record.webhook == webhook.identifier)
        }
    }

    @Test(arguments: [("/ok", 5, 0), ("/500", 1, 5)])
    func `a queue goes on to who takes it, and waits for who does not`(
        path: String,
        requests: Int,
        left: Int,
    ) async throws {
        try await run(path) { desk, receiver, _ in
            for _ in 0..<4 { try desk.queueSomething() }
            let service = desk.service()
            for (delivery, webhook) in try service.take() {
                await service.deliverQueue(from: delivery, to: webhook)
            }
            #expect(try receiver.requests.count == requests)
            #expect(try desk.store.notices().outbox.waiting.count == left)
        }
    }

    @Test func `what was begun before the store failed is made, and the rest later`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook("https://one.example.com/a")
            try desk.addWebhook("https://two.example.com/a")
            try desk.queueSomething()
            let ledger = desk.folder.appending(path: "store/notices.json")
            let kept = Mutex<Data?>(nil)
            let calls = Mutex(0)
            // The outbox fails after the first attempt has begun, whose delay is the first use of random
            // bytes.
            let service = desk.service(random: { count in
                let call = calls.withLock { calls in
                    calls += count == 1 ? 1 : 0
                    return count == 1 ? calls : 0
                }
                if call == 2 {
                    kept.withLock { $0 = try? Data(contentsOf: ledger) }
                    try? Data("{".utf8).write(to: ledger)
                }
                return randomBytes(count)
            })
            let begun = try service.take()
            #expect(begun.count == 1)
            try #require(kept.withLock { $0 }).write(to: ledger)
            try await Task.sleep(for: .milliseconds(300))
            for (delivery, webhook) in begun { await service.deliver(delivery, to: webhook) }
            let rest = try service.take()
            #expect(rest.map(\.1.identifier) != begun.map(\.1.identifier))
            #expect(rest.count == 1)
            for (delivery, webhook) in rest { await service.deliver(delivery, to: webhook) }
            desk.set(desk.now + 30)
            #expect(try service.take().count == 2, "both are free for their next attempt")
        }
    }

    @Test func `a receiver that fails is asked again, later each time, with the same identifier`()
        async throws
    {
        try await run("/flaky/2") { desk, receiver, _ in
            let service = desk.service()
            try await desk.sendOnce(with: service)
            try await desk.sendOnce(with: service)
            #expect(try receiver.requests.count == 1)
            desk.set(desk.now + 13)
            try await desk.sendOnce(with: service)
            desk.set(desk.now + 47)
            try await desk.sendOnce(with: service)
            #expect(try receiver.requests.count == 2)
            desk.set(desk.now + 30)
            try await desk.sendOnce(with: service)
            let requests = try receiver.requests
            #expect(requests.count == 3 && Set(requests.map(\.delivery)).count == 1)
            #expect(Set(requests.map(\.body)).count == 1)
            #expect(requests.map(\.verified) == [true, true, true])
            let record = try #require(desk.store.notices().outbox.log.last)
            #expect(record.outcome == .delivered && record.attempts == 3 && record.status == 204)
        }
    }

    @Test func `a receiver that always fails is given up`() async throws {
        try await run("/500") { desk, receiver, _ in
            let service = desk.service()
            for _ in 0..<20 {
                try await desk.sendOnce(with: service)
                desk.advance(days: 1)
            }
            #expect(try receiver.requests.count == DeliveryPolicy().mostAttempts)
            let record = try #require(desk.store.notices().outbox.log.last)
            #expect(record.outcome == .failed && record.status == 500)
            #expect(try desk.store.notices().outbox.waiting.isEmpty)
        }
    }

    @Test func `a redirect is not followed, and tried again like any failure`() async throws {
        try await run("/redirect") { desk, receiver, _ in
            let service = desk.service()
            try await desk.sendOnce(with: service)
            #expect(try receiver.requests.map(\.path) == ["/redirect"])
            let waiting = try #require(desk.store.notices().outbox.waiting.first)
            #expect(waiting.failure?.contains("redirect (status 302)") == true)
            for _ in 0..<20 {
                desk.advance(days: 1)
                try await desk.sendOnce(with: service)
            }
            #expect(try receiver.requests.map(\.path).allSatisfy { $0 == "/redirect" })
            #expect(try receiver.requests.count == DeliveryPolicy().mostAttempts)
            #expect(try desk.store.notices().outbox.log.last?.outcome == .failed)
        }
    }

    @Test func `an answer that leaves no hope ends it at once`() async throws {
        let path = "/410"
        try await run(path) { desk, receiver, _ in
            try await desk.sendOnce(with: desk.service())
            #expect(try receiver.requests.map(\.path) == [path])
            let record = try #require(desk.store.notices().outbox.log.last)
            #expect(record.outcome == .failed && record.attempts == 1)
        }
    }

    @Test(arguments: [
        ("/hang", "no answer within"), ("/drip", "no answer within"), ("/close", "closed"),
        ("/garbage", ""), ("/404", "status 404"),
    ])
    func `an attempt ends in time whatever the receiver does`(
        _ path: String,
        _ reason: String,
    ) async throws {
        try await run(path) { desk, receiver, _ in
            try await desk.sendOnce(with: desk.service())
            let waiting = try #require(desk.store.notices().outbox.waiting.first)
            #expect(waiting.attempts == 1)
            let failure = try #require(waiting.failure)
            #expect(reason.isEmpty || failure.contains(reason), "\(failure)")
            #expect(!failure.contains("127.0.0.1:"), "\(failure)")
        }
    }

    @Test func `of an answer of a gigabyte only the head is read`() async throws {
        try await run("/huge") { desk, receiver, _ in
            let before = try residentBytes()
            try await desk.sendOnce(with: desk.service())
            #expect(try desk.store.notices().outbox.log.last?.outcome == .delivered)
            #expect(try residentBytes() - before < 64 << 20)
        }
    }

    @Test func `one that hangs holds up nobody else`() async throws {
        try await NoticeDesk.run { desk in
            try await WebhookReceiver.run(in: desk.folder) { receiver in
                let slow = try desk.addWebhook(at: receiver, "/hang")
                let quick = try desk.addWebhook(at: receiver, "/ok")
                try desk.queueSomething()
                let service = desk.service()
                let due = try service.take()
                #expect(due.map(\.1.identifier) == [slow.identifier, quick.identifier])
                await withDiscardingTaskGroup { group in
                    for (delivery, webhook) in due {
                        group.addTask { await service.deliver(delivery, to: webhook) }
                    }
                }
                let outbox = try desk.store.notices().outbox
                #expect(outbox.waiting.map(\.webhook) == [slow.identifier])
                #expect(outbox.log.map(\.webhook) == [quick.identifier])
            }
        }
    }

    @Test func `nothing listens`() async throws {
        try await NoticeDesk.run { desk in
            try desk.addWebhook("http://127.0.0.1:1/") {
                $0.allowsPrivate = true
                $0.allowsPlain = true
            }
            try desk.queueSomething()
            try await desk.sendOnce(with: desk.service())
            let outbox = try desk.store.notices().outbox
            #expect(outbox.waiting.first?.failure == "connection refused")
            #expect(outbox.failure(of: outbox.waiting[0].webhook)?.cause == "connection refused")
        }
    }

    private func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return try #require(pages) * 4096
    }
}
