import Cryptography
import Foundation
import Notices
import OTAServer
import Releases
import Sample
import Store
import TestSupport
import Testing

/// The notices that a running server sends to a webhook, with a clock that tests advance.
@Suite(
    .enabled(if: WebhookReceiver.python != nil, "there is no Python"),
    .timeLimit(.minutes(10)),
)
struct NoticeTests {
    @Test func `a server tells each threshold once, whatever the clock does`() async throws {
        try await withTemporaryFolder { folder in
            try await WebhookReceiver.run(in: folder) { receiver in
                let clock = MovableClock()
                let log = try await LiveServer.run { configuration in
                    configuration.clock = { clock.now }
                    configuration.notices.interval = .milliseconds(20)
                    configuration.notices.settling = 0
                } _: { server in
                    try server.addWebhook(receiver.url("/ok/a-path-that-is-secret"))
                    _ = try await server.publish(
                        SampleApps.browsey(by: server.authority, at: clock.now)
                    )
                    try await told("was published on stable", by: receiver)
                    // The sample's profile lasts a year; the server checks on each of these days.
                    clock.advance(by: 330 * 86_400)
                    for day in 0..<42 {
                        clock.advance(by: 86_400)
                        try await look(day, server, receiver, clock)
                    }
                    for (index, days) in [-1.0, 1, -3650, 3650, 3650, -3650].enumerated() {
                        clock.advance(by: days * 86_400)
                        try await look(100 + index, server, receiver, clock)
                    }
                    try await eventually(within: .seconds(30), "everything is sent") {
                        try server.store.notices().outbox.waiting.isEmpty
                    }
                }
                let endings = try receiver.requests.compactMap { Ending($0.body) }
                    .filter { $0.kinds.contains("profile") }
                #expect(endings.map(\.threshold).sorted() == [0, 1, 3, 7, 14, 30])
                #expect(try receiver.requests.allSatisfy(\.verified) == true)
                #expect(!log.contains("a-path-that-is-secret"))
            }
        }
    }

    /// Causes an event that the webhook reports, and so waits until the server has checked everything.
    private func look(
        _ number: Int,
        _ server: LiveServer,
        _ receiver: WebhookReceiver,
        _ clock: MovableClock,
    ) async throws {
        try server.store.record(
            Activity(
                date: clock.now,
                actor: "enrolment",
                event: .deviceEnrolled,
                subject: "Phone \(number).",
            )
        )
        try await told("Phone \(number).", by: receiver)
    }

    private func told(_ words: String, by receiver: WebhookReceiver) async throws {
        try await eventually(within: .seconds(20), "\(words) is told") {
            try receiver.requests.contains { $0.body.contains(words) }
        }
    }

    /// The content of a notice about an expiry.
    private struct Ending {
        let threshold: Int
        let kinds: [String]

        init?(_ body: String) {
            struct Document: Decodable {
                struct Ending: Decodable {
                    let kind: String
                }

                let threshold: Int
                let expiring: [Ending]
            }
            guard let document = try? JSONDecoder().decode(Document.self, from: Data(body.utf8))
            else { return nil }
            threshold = document.threshold
            kinds = document.expiring.map(\.kind)
        }
    }
}

extension LiveServer {
    fileprivate func addWebhook(_ url: String) throws {
        var draft = WebhookDraft(url: url, kind: .json, by: "a test")
        draft.secret = WebhookSecret(WebhookReceiver.secret)
        draft.allowsPlain = true
        draft.allowsPrivate = true
        try store.changeWebhooks { try $0.add(draft, at: Date(), random: randomBytes) }
    }
}
