import Foundation
import Notices
import Releases
import Store
import StoreFixtures
import Testing

/// What a webhook's body says about the origin of a build.
struct BuildSourceTests {
    private static let commit = String(repeating: "5f1c", count: 10)

    private static func delivery(_ desk: NoticeDesk, run: String) throws -> Delivery {
        try desk.addWebhook()
        _ = try desk.announced()
        var release = StoredRelease()
        release.commit = commit
        release.origin = BuildOrigin(
            repository: "https://git.example.com/forks",
            run: run,
            branch: "feature/tabs",
        )
        release.date = desk.now
        _ = try release.publish(into: desk.store)
        _ = try desk.announced()
        return try #require(desk.store.notices().outbox.waiting.first)
    }

    private static func text(_ delivery: Delivery, for kind: Webhook.Kind) throws -> String {
        let template =
            try kind.needsBody ? WebhookTemplate(#"{"a": "{{branch}} {{commit}} {{run}}"}"#) : nil
        let body = try WebhookPayload.body(of: delivery, for: kind, template: template)
        return String(decoding: body, as: UTF8.self)
    }

    @Test func `branch, commit and CI job are in every kind of message`() async throws {
        try await NoticeDesk.run { desk in
            let run = "https://ci.example.com/job_1/42"
            let delivery = try Self.delivery(desk, run: run)
            let json = try #require(
                JSONSerialization.jsonObject(with: Data(Self.text(delivery, for: .json).utf8))
                    as? [String: Any]
            )
            let release = try #require(json["release"] as? [String: String])
            #expect(release["commit"] == Self.commit && release["branch"] == "feature/tabs")
            #expect(
                release["run"] == run && release["repository"] == "https://git.example.com/forks"
            )
            #expect(release["tag"] == nil)
            for kind in [Webhook.Kind.slack, .teams, .discord, .email] {
                let text = try Self.text(delivery, for: kind).replacing("\\", with: "")
                #expect(
                    text.contains("Built from branch feature/tabs, commit 5f1c5f1c5f1c."),
                    "\(text)",
                )
                #expect(text.contains(run), "\(text)")
            }
            #expect(try Self.text(delivery, for: .slack).contains("<\(run)|CI job>"))
            #expect(try Self.text(delivery, for: .discord).contains("[CI job](\(run))"))
            #expect(
                try Self.text(delivery, for: .custom)
                    == "{\"a\": \"feature/tabs \(Self.commit) \(run)\"}"
            )
        }
    }

    @Test(arguments: [
        "https://ci.example.com/1|tap>", "https://ci.example.com/)[tap](https://evil.example",
        "javascript:alert(1)", "urn:job:42",
    ])
    func `what could be more than an address is no link in a chat`(run: String) async throws {
        try await NoticeDesk.run { desk in
            let delivery = try Self.delivery(desk, run: run)
            for kind in [Webhook.Kind.slack, .teams, .discord, .email] {
                let text = try Self.text(delivery, for: kind)
                #expect(!text.contains("CI job"), "\(text)")
            }
        }
    }
}
