import Foundation
import Sample
import TestSupport
import Testing

/// Options whose effect no other test shows.
@Suite(.timeLimit(.minutes(10)))
struct SmallOptionTests {
    @Test func `each option of sample is in the build that it makes`() async throws {
        try await Workplace.run { place in
            let udid = Workplace.ana
            _ = try await place.json("sample", "--output", "a.ipa", "--save-keys")
            let keys = place.path("a-authority-keys.pem")
            let mode = try FileManager.default.attributesOfItem(atPath: keys)[.posixPermissions]
            #expect(mode as? Int == 0o600)
            _ = try await place.json(
                "sample",
                "--output",
                "b.ipa",
                "--authority",
                keys,
                "--device",
                udid,
                "--expires",
                "2041-05-01",
                "--megabytes",
                "3",
                "--app",
                "pare",
                "--version",
                "7.8.9",
                "--build",
                "77",
            )
            #expect(try place.bytes("b.ipa").count > 3_000_000)
            #expect(try place.bytes("a.ipa").count < 1_000_000)
            let shown = try await place.ota(
                "inspect",
                "b.ipa",
                "--udids",
                "--trusted-ca",
                "a-authority.pem",
            ).output
            for words in ["7.8.9 (77)", udid, "1 May 2041", "verified"] {
                #expect(shown.contains(words), "\(words): \(shown)")
            }
            _ = try await place.json("sample", "--output", "c.ipa")
            #expect(!place.isThere("c-authority-keys.pem"))
        }
    }

    @Test func `a code is drawn with --qr and left out with --no-qr`() async throws {
        try await Workplace.run { place in
            try place.build()
            let base = ["--base-url", "https://ota.example.test"]
            for (option, isDrawn) in [("--qr", true), ("--no-qr", false)] {
                let published = try await place.ota(
                    ["publish", "build.ipa", "--trusted-ca", "anchor.pem", option] + base
                )
                #expect(published.status == 0)
                #expect(published.output.contains("██") == isDrawn, "\(published.output)")
                let invited = try await place.ota(
                    ["devices", "invite", "--name", "Ana", option] + base
                )
                #expect(invited.output.contains("██") == isDrawn, "\(invited.output)")
            }
        }
    }

    @Test func `an invitation ends when --valid says, and is for the app that --app names`()
        async throws
    {
        try await Workplace.run { place in
            try place.build()
            _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            var spans: [TimeInterval] = []
            for valid in ["2h", "3d"] {
                let made = try await place.json(
                    "devices",
                    "invite",
                    "--name",
                    valid,
                    "--valid",
                    valid,
                    "--app",
                    "browsey",
                    "--base-url",
                    "https://ota.example.test",
                )["invitation"]
                let dates = try ["created", "expires"].map { key in
                    try Date(made[key].string ?? "", strategy: .iso8601)
                }
                spans.append(dates[1].timeIntervalSince(dates[0]))
                #expect(made["app"].string == "com.vforsh.browsey")
            }
            #expect(spans == [7200, 3 * 86_400])
        }
    }

    @Test func `lists are cut by --limit`() async throws {
        try await Workplace.run { place in
            for version in ["1.4.0", "1.5.0", "1.6.0"] {
                try place.build { $0.version(version, build: "29") }
                _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            }
            let all = try await place.json("releases", "list", "browsey")
            #expect(all["releases"].items.count == 3)
            let cut = try await place.json("releases", "list", "browsey", "--limit", "2")
            #expect(cut["releases"].items.count == 2 && cut["older"].number == 1)
            let activity = try await place.json("activity", "--limit", "2")
            #expect(activity["activity"].items.count == 2)
            #expect(try await place.json("activity")["activity"].items.count > 2)
        }
    }

    @Test func `--annotations are GitHub's lines, wanted or not`() async throws {
        try await Workplace.run { place in
            try place.build()
            let job = ["GITHUB_ACTIONS": "true", "CI": "true"]
            func errors(_ words: [String], in environment: [String: String]) async throws -> String
            {
                let words = ["publish", "build.ipa"] + words
                return try await place.ota(words, environment: environment).errors
            }
            // Without its authority the build cannot be installed, which causes an annotation.
            #expect(try await errors(["--annotations"], in: [:]).contains("::error"))
            #expect(try await errors([], in: job).contains("::error"))
            #expect(try await errors(["--no-annotations"], in: job).contains("::error") == false)
            #expect(try await errors([], in: [:]).contains("::error") == false)
        }
    }

    @Test func `--ci takes what was pushed from the variables of the job`() async throws {
        try await Workplace.withCheckout { place, repository in
            try await repository.git("tag", "v1.2.3")
            let branch = [
                "GITHUB_ACTIONS": "true", "GITHUB_REF": "refs/heads/main", "CI": "true",
                "GITHUB_SHA": try await repository.git("rev-parse", "HEAD"),
            ]
            let words = ["version", "--repository", "app", "--json"]
            let asked = try await place.ota(words + ["--ci"], environment: branch)
            #expect(try JSON(asked.output)["TAG"].string == "dev", "\(asked)")
            let plain = try await place.ota(words, environment: branch)
            #expect(try JSON(plain.output)["TAG"].string == "v1.2.3", "\(plain)")
        }
    }

    @Test func `--target checks one target of a project, and no other`() async throws {
        try await Workplace.withCheckout { place, repository in
            try await repository.git("tag", "v1.2.3")
            let project = """
                name: Two
                targets:
                  Right:
                    type: application
                    platform: iOS
                    settings:
                      MARKETING_VERSION: 1.2.3
                      CURRENT_PROJECT_VERSION: 1
                  Wrong:
                    type: application
                    platform: iOS
                    settings:
                      MARKETING_VERSION: 9.9.9
                      CURRENT_PROJECT_VERSION: 1
                """
            try place.write(project, to: "app/project.yml")
            func status(_ target: [String]) async throws -> Int32 {
                try await place.ota(
                    ["version", "--repository", "app", "--check-project", "app/project.yml"]
                        + target
                ).status
            }
            #expect(try await status(["--target", "Right"]) == 0)
            #expect(try await status(["--target", "Wrong"]) == 1)
            #expect(try await status([]) == 1)
        }
    }

    @Test(.enabled(if: WebhookReceiver.python != nil, "there is no Python"))
    func `--app, --events, --kind and --secret-file say what a webhook is told, and how`()
        async throws
    {
        try await Workplace.run { place in
            try place.write(place.authority.privatePEM, to: "keys.pem")
            try place.write(WebhookReceiver.secret, to: "secret")
            try place.build()
            _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            _ = try await place.json(
                "sample",
                "--app",
                "pare",
                "--authority",
                "keys.pem",
                "--output",
                "pare.ipa",
            )
            try Data(#"{"content": "{{ title }}", "of": ["{{app}} {{version}}"]}"#.utf8)
                .write(to: place.folder.appending(path: "body.json"))
            _ = try await place.json("groups", "create", "qa")
            try await WebhookReceiver.run(in: place.folder) { receiver in
                for (path, words) in [
                    ("/ok/all", ["--kind", "json"]),
                    ("/ok/stable", ["--kind", "json", "--channel", "stable"]),
                    ("/ok/beta", ["--kind", "json", "--channel", "beta"]),
                    ("/ok/groups", ["--kind", "json", "--groups", "qa"]),
                    ("/ok/slack", ["--kind", "slack"]), ("/ok/teams", ["--kind", "teams"]),
                    ("/ok/discord", ["--kind", "discord"]),
                    ("/ok/own", ["--kind", "custom", "--body-file", "body.json"]),
                    ("/ok/signed", ["--kind", "json", "--secret-file", "secret"]),
                    ("/ok/app", ["--kind", "json", "--app", "browsey"]),
                    ("/ok/events", ["--kind", "json", "--events", "device.enrolled"]),
                ] {
                    let refused = try await place.refusal(
                        "webhooks",
                        "add",
                        receiver.url(path),
                        "--kind",
                        "json",
                        "--allow-http",
                    )
                    #expect(refused["id"].string?.hasPrefix("webhook.") == true)
                    _ = try await place.json(
                        ["webhooks", "add", receiver.url(path), "--allow-private", "--allow-http"]
                            + words
                    )
                }
                try await place.serving { _ in
                    _ = try await place.json("publish", "pare.ipa")
                    var requests: [WebhookReceiver.Request] = []
                    for _ in 0..<300 {
                        requests = try receiver.requests
                            .filter { $0.body.contains("published") || $0.path == "/ok/slack" }
                        if Set(requests.map(\.path)).count >= 7 { break }
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    let paths = Set(requests.map(\.path))
                    let chats = ["/ok/slack", "/ok/teams", "/ok/discord", "/ok/own"]
                    #expect(
                        paths == Set(["/ok/all", "/ok/stable", "/ok/signed"] + chats),
                        "\(requests)",
                    )
                    for (path, key) in zip(chats, ["text", "attachments", "embeds", "of"]) {
                        let request = try #require(requests.first { $0.path == path })
                        #expect(request.body.contains("\"\(key)\""), "\(path)")
                        #expect(request.signature == nil, "\(path)")
                    }
                    let slack = try #require(requests.first { $0.path == "/ok/slack" })
                    #expect(slack.body.hasPrefix("{\"") && slack.body.contains("\"text\""))
                    let signed = try #require(requests.first { $0.path == "/ok/signed" })
                    #expect(signed.verified && signed.signature != nil)
                }
            }
        }
    }

    @Test func `a token ends when --expires says`() async throws {
        try await Workplace.run { place in
            try await place.serving { server in
                _ = try await place.json(
                    "tokens",
                    "create",
                    "--name",
                    "short",
                    "--scope",
                    "read",
                    "--expires",
                    "3s",
                    "--file",
                    "short",
                )
                let words = [
                    "apps", "list", "--server", server.url, "--token-file", "short", "--ca-file",
                    "ca.pem", "--json",
                ]
                var statuses: [Int32] = []
                for _ in 0..<200 where statuses.last != 1 {
                    statuses.append(try await place.ota(words).status)
                    try await Task.sleep(for: .milliseconds(100))
                }
                #expect(statuses.first == 0 && statuses.last == 1, "\(statuses)")
            }
        }
    }

    @Test func `what apps set changes is what testers see`() async throws {
        try await Workplace.run { place in
            try place.build()
            _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            try await place.serving { server in
                func set(_ words: String..., input: String? = nil) async throws {
                    _ = try await place.json(["apps", "set", "browsey"] + words, input: input)
                }
                let page = server.url + "/apps/browsey"
                try await set("--listed")
                try await place.shows(server.url + "/", "Browsey")
                try await set("--title", "Our Browser")
                try await place.shows(server.url + "/", "Our Browser")
                try await set("--unlisted")
                try await place.shows(page, "itms-services")
                try await place.shows(server.url + "/", "Our Browser", isThere: false)
                try await set(
                    "--access",
                    "passphrase",
                    "--passphrase-stdin",
                    input: "correct horse battery\n",
                )
                try await place.shows(page, "assphrase")
                #expect(try await place.curl(page).text.contains("itms-services") == false)
                try await set("--access", "open", "--slug", "ours")
                try await place.shows(server.url + "/apps/ours", "itms-services")
            }
        }
    }
}
