import Foundation
import TestSupport
import Testing

/// The subcommands of `ota webhooks`.
@Suite(.timeLimit(.minutes(10)))
struct WebhookCommandTests {
    @Test func `the secret of a webhook is shown once`() async throws {
        try await Workplace.run { place in
            let made = try await place.json(
                "webhooks",
                "add",
                "https://ci.example.com/hooks/secret-path",
                "--kind",
                "json",
                "--events",
                "expiring,expired",
                "--events",
                "slots.low",
            )
            let secret = try #require(made["secret"].string)
            #expect(secret.count == 64)
            let identifier = try #require(made["webhook"]["identifier"].string)
            let list = try await place.ota("webhooks", "list", "--json")
            #expect(!list.output.contains(secret) && !list.output.contains("secret-path"))
            let shown = try await place.json("webhooks", "show", identifier)
            let events = shown["webhook"]["events"].items.map(\.string)
            #expect(events == ["expiring", "expired", "slots.low"])
            let file = place.folder.appending(path: "ota-store/webhooks.json")
            let mode = try FileManager.default.attributesOfItem(
                atPath: file.path(percentEncoded: false)
            )[.posixPermissions]
            #expect(mode as? Int == 0o600)
            #expect(try await place.ota("store", "verify").status == 0)
            let removed = try await place.json("webhooks", "remove", identifier)
            #expect(removed["webhook"]["identifier"].string == identifier)
            #expect(try await place.json("webhooks", "list")["webhooks"].items.isEmpty)
            let again = try await place.refusal("webhooks", "remove", identifier)
            #expect(again["id"].string == "webhook.unknown")
        }
    }

    @Test func `URL and secret may come from where nobody else sees them`() async throws {
        try await Workplace.run { place in
            let made = try await place.json(
                ["webhooks", "add", "-", "--kind", "slack"],
                input: "https://hooks.slack.com/services/T0/B0/x\n",
            )
            #expect(made["webhook"]["url"].string == "https://hooks.slack.com/…")
            #expect(made["secret"].string == nil)
            try place.write("0123456789abcdef0123456789abcdef\n", to: "hook.secret")
            let signed = try await place.json(
                "webhooks",
                "add",
                "https://ci.example.com/",
                "--kind",
                "json",
                "--secret-file",
                "hook.secret",
            )
            #expect(signed["secret"].string == nil)
            #expect(signed["webhook"]["signed"].boolean == true)
        }
    }

    @Test(arguments: [
        ("http://ci.example.com/", "webhook.not-secure"),
        ("https://10.0.0.1/", "webhook.bad-address"),
        ("https://2130706433/", "webhook.bad-url"), ("ci.example.com", "webhook.bad-url"),
    ])
    func `a bad address is refused with its reason`(_ url: String, _ id: String) async throws {
        try await Workplace.run { place in
            let refusal = try await place.refusal("webhooks", "add", url, "--kind", "json")
            #expect(refusal["id"].string == id)
            #expect(refusal["fix"].string?.isEmpty == false)
        }
    }

    @Test(arguments: [
        ["webhooks", "add", "https://ci.example.com/"],
        ["webhooks", "add", "https://ci.example.com/", "--kind", "xml"],
        ["webhooks", "add", "https://ci.example.com/", "--kind", "json", "--events", "everything"],
        ["webhooks", "add", "https://ci.example.com/", "--kind", "json", "--events", "test"],
        ["webhooks", "add", "-", "--kind", "json", "--secret-file", "-"],
    ])
    func `wrong usage exits 64`(_ arguments: [String]) async throws {
        try await Workplace.run { place in
            let outcome = try await place.ota(arguments)
            #expect(outcome.status == 64, "\(outcome)")
        }
    }

    @Test func `a test that does not arrive exits 1 and is remembered`() async throws {
        try await Workplace.run { place in
            let made = try await place.json(
                "webhooks",
                "add",
                "http://127.0.0.1:1/",
                "--kind",
                "json",
                "--allow-http",
                "--allow-private",
            )
            let identifier = try #require(made["webhook"]["identifier"].string)
            let tried = try await place.json("webhooks", "test", identifier, status: 1)
            #expect(tried["delivery"]["outcome"].string == "failed")
            #expect(tried["delivery"]["reason"].string?.isEmpty == false)
            let shown = try await place.json("webhooks", "show", identifier)
            #expect(shown["deliveries"].items.map { $0["event"].string } == ["test"])
        }
    }

    @Test func `a webhook is paused and resumed, and says so`() async throws {
        try await Workplace.run { place in
            let made = try await place.json(
                "webhooks",
                "add",
                "https://ci.example.com/",
                "--kind",
                "json",
            )
            let identifier = try #require(made["webhook"]["identifier"].string)
            let paused = try await place.ota("webhooks", "pause", identifier)
            #expect(paused.output.contains("Resume it with: ota webhooks resume \(identifier)"))
            let again = try await place.json("webhooks", "pause", identifier)
            #expect(again["changed"].boolean == false)
            let list = try await place.ota("webhooks", "list").output
            #expect(list.contains("paused since "))
            let shown = try await place.json("webhooks", "show", identifier)["webhook"]
            #expect(shown["status"].string == "paused" && shown["signed"].boolean == true)
            #expect(shown["paused"].string == again["webhook"]["paused"].string)
            for verb in ["test", "retry"] {
                let refused = try await place.refusal("webhooks", verb, identifier)
                #expect(refused["id"].string == "webhook.paused")
                #expect(refused["fix"].string?.contains("ota webhooks resume") == true)
            }
            let resumed = try await place.json("webhooks", "resume", identifier)
            #expect(resumed["changed"].boolean == true)
            #expect(resumed["webhook"]["status"].string == "new")
            let twice = try await place.ota("webhooks", "resume", identifier)
            #expect(twice.status == 0 && twice.output.contains("is not paused"))
            let unknown = try await place.refusal("webhooks", "pause", "00000000")
            #expect(unknown["id"].string == "webhook.unknown")
            let activity = try await place.ota("activity").output
            #expect(activity.contains("paused the webhook at ci.example.com   webhookPaused"))
            #expect(activity.contains("resumed the webhook at ci.example.com  webhookResumed"))
        }
    }

    @Test
    func `a webhook that fails is listed as failing, and what waits is sent again when asked`()
        async throws
    {
        try await Workplace.run { place in
            let made = try await place.json(
                "webhooks",
                "add",
                "http://127.0.0.1:1/",
                "--kind",
                "slack",
                "--allow-http",
                "--allow-private",
            )
            let identifier = try #require(made["webhook"]["identifier"].string)
            #expect(made["webhook"]["status"].string == "new")
            _ = try await place.json("webhooks", "test", identifier, status: 1)
            let list = try await place.json("webhooks", "list")["webhooks"].items
            #expect(list.map { $0["status"].string } == ["failing"])
            #expect(list[0]["failing"]["reason"].string == "connection refused")
            let shown = try await place.ota("webhooks", "list").output
            #expect(shown.contains("failing since "))
            #expect(shown.contains("UTC: connection refused"))
            #expect(try await place.json("webhooks", "retry", identifier)["retried"].number == 0)
            let none = try await place.ota("webhooks", "retry", identifier)
            #expect(none.output.contains("No messages are queued for the webhook"))
            let unknown = try await place.refusal("webhooks", "retry", "00000000")
            #expect(unknown["id"].string == "webhook.unknown")
        }
    }
}
