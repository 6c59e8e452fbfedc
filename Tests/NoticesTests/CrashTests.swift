import Bundles
import Foundation
import Notices
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Processes that are killed while they send notices, and several that send at once.
@Suite(
    .enabled(if: WebhookReceiver.python != nil, "there is no Python"),
    .timeLimit(.minutes(10)),
)
struct CrashTests {
    /// `grace` is the time, in seconds beyond its timeouts, after which an attempt counts as abandoned.
    private func start(on desk: NoticeDesk, grace: Double) async throws -> RunningProgram {
        let program = try #require(Program(built: "CrashingSender"))
        let running = try program.start(
            [desk.folder.appending(path: "store").path(), "\(grace)"],
            in: desk.folder,
        )
        #expect(await running.line() == "looking")
        return running
    }

    private func enrol(_ number: Int, in desk: NoticeDesk) throws {
        try desk.store.record(
            Activity(
                date: Date(),
                actor: "enrolment",
                event: .deviceEnrolled,
                subject: "Phone \(number)",
            )
        )
    }

    private func waitUntil(_ isSo: () throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while try !isSo() {
            try #require(ContinuousClock.now < end, "nothing comes any more")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func `killed in the middle again and again, each notice is one delivery and arrives`()
        async throws
    {
        try await NoticeDesk.run { desk in
            try await WebhookReceiver.run(in: desk.folder) { receiver in
                _ = try desk.addWebhook(at: receiver, "/ok")
                _ = try desk.announced()
                for number in 0..<12 {
                    try enrol(number, in: desk)
                    let sender = try await start(on: desk, grace: -1.5)
                    // At a random point of its work.
                    try await Task.sleep(for: .milliseconds(number * 9))
                    sender.send(SIGKILL)
                    _ = try await sender.status()
                }
                let last = try await start(on: desk, grace: -1.5)
                try await waitUntil { try desk.store.notices().outbox.waiting.isEmpty }
                try await waitUntil { try Set(receiver.requests.map(\.body)).count >= 12 }
                last.send(SIGTERM)
                _ = try await last.status()
                let requests = try receiver.requests
                let deliveries = Dictionary(grouping: requests) { $0.delivery ?? "" }
                #expect(deliveries.count == 12)
                // An interrupted delivery is repeated with the same identifier and body.
                #expect(deliveries.values.allSatisfy { Set($0.map(\.body)).count == 1 })
                #expect(Set(requests.map(\.body)).count == 12)
                #expect(requests.map(\.verified) == requests.map { _ in true })
            }
        }
    }

    @Test func `several processes at once make one delivery of each notice`() async throws {
        try await NoticeDesk.run { desk in
            try await WebhookReceiver.run(in: desk.folder) { receiver in
                _ = try desk.addWebhook(at: receiver, "/ok")
                _ = try desk.announced()
                var couriers: [RunningProgram] = []
                for _ in 0..<4 { couriers.append(try await start(on: desk, grace: 60)) }
                for number in 0..<15 { try enrol(number, in: desk) }
                try await waitUntil { try Set(receiver.requests.map(\.body)).count >= 15 }
                try await waitUntil { try desk.store.notices().outbox.waiting.isEmpty }
                for sender in couriers {
                    sender.send(SIGKILL)
                    _ = try await sender.status()
                }
                let requests = try receiver.requests
                #expect(requests.count == 15)
                #expect(Set(requests.map(\.delivery)).count == 15)
            }
        }
    }
}
