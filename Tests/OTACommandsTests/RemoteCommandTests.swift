import Foundation
import TestSupport
import Testing

/// Commands with `--server` against `ota serve`, over TLS.
@Suite(.timeLimit(.minutes(10)))
struct RemoteCommandTests {
    @Test func `every command that looks says the same of a server as of its store`() async throws {
        try await Workplace.run { place in
            try await place.serving { server in
                try await place.fill()
                for command in [
                    "releases list", "releases list browsey --limit 1",
                    "releases show browsey 1.4.0", "devices list", "devices list --all",
                    "devices show \(Self.ana)", "devices slots", "devices export --all",
                    "devices invitations --all", "devices check browsey",
                    "devices check browsey 1.4.0",
                    "devices check build.ipa --trusted-ca anchor.pem",
                    "profiles list", "tokens list", "tokens list --all", "activity --limit 100",
                ] {
                    let words = command.split(separator: " ").map(String.init)
                    let there = try await place.json(words + server.options)
                    let here = try await place.json(words)
                    #expect(there == here, "ota \(command)")
                    let text = try await place.ota(words + server.options)
                    let own = try await place.ota(words)
                    #expect(text.status == 0 && text.output == own.output, "ota \(command)")
                }
                let check = ["profiles", "check", "--within", "4000d"]
                let there = try await place.json(check + server.options, status: 1)
                #expect(try await place.json(check, status: 1) == there)
            }
        }
    }

    @Test func `every command that acts does on a server what it does on a store`() async throws {
        try await Workplace.run { place in
            try await place.serving { server in
                try await place.fill()
                let ben = "00008120-0000000000000043"
                func act(_ command: String..., input: String? = nil) async throws -> JSON {
                    try await place.json(command + server.options, input: input)
                }
                let added = try await act(
                    "devices",
                    "add",
                    ben,
                    "--name",
                    "Ben",
                    "--model",
                    "iPad13,4",
                )
                #expect(added["device"]["family"].string == "ipad")
                #expect(added["slots"]["used"].number == 1)
                #expect(
                    try await act("devices", "rename", ben, "Ben's iPad")["device"]["name"].string
                        == "Ben's iPad"
                )
                #expect(try await act("devices", "approve", "--all")["devices"].items.isEmpty)
                #expect(
                    try await act("devices", "remove", ben)["device"]["state"].string == "disabled"
                )
                _ = try await act("devices", "remove", ben, "--forget")
                let list = "00008120-0000000000000044\tEve\n"
                #expect(try await act("devices", "import", "-", input: list)["added"].number == 1)
                let renewed = try await act("devices", "slots", "--renews", "2027-03-14")
                #expect(renewed["slots"].items.first?["resets"].string != nil)

                let invited = try await act(
                    "devices",
                    "invite",
                    "--name",
                    "Zoe",
                    "--app",
                    "browsey",
                )
                let identifier = try #require(invited["invitation"]["identifier"].string)
                let left = try await act("devices", "invitations", "revoke", identifier)
                #expect(left["invitations"].items.isEmpty)

                let reason = ["--reason", "it loses bookmarks"]
                let withdrawn = try await place.json(
                    ["releases", "withdraw", "browsey", "1.4.0"] + reason + server.options
                )
                #expect(withdrawn["release"]["state"].string == "withdrawn")
                let restored = try await act("releases", "restore", "browsey", "1.4.0")
                #expect(restored["release"]["state"].string == "available")
                let promoted = try await act(
                    "releases",
                    "promote",
                    "browsey",
                    "1.4.0",
                    "--channel",
                    "beta",
                )
                #expect(
                    promoted["release"]["offeredOn"].items.compactMap(\.string) == [
                        "beta", "stable",
                    ]
                )
                let noted = try await act(
                    "releases",
                    "notes",
                    "browsey",
                    "1.4.0",
                    "-",
                    input: "Faster.\n",
                )
                #expect(noted["release"]["notes"].string == "Faster.\n")
                #expect(
                    try await act("releases", "prune", "browsey", "--keep", "0")["removed"]
                        .items.isEmpty
                )

                let made = try await act(
                    "tokens",
                    "create",
                    "--name",
                    "ci",
                    "--scope",
                    "read:browsey",
                    "--file",
                    "ci",
                )
                #expect(made["file"].string == "ci")
                #expect(made["secret"] == .null)
                let mine = ["--server", server.url, "--token-file", "ci", "--ca-file", "ca.pem"]
                let apps = try await place.json(["releases", "list"] + mine)
                #expect(apps["releases"].items.count == 1)
                _ = try await act("tokens", "revoke", "ci")

                let names = try await place.json("activity")["activity"].items
                    .filter { $0["actor"].string == "remote" }
                    .compactMap { $0["event"].string }
                #expect(
                    names.reversed() == [
                        "deviceAdded", "deviceRenamed", "deviceRemoved", "deviceRemoved",
                        "devicesImported", "settingsChanged", "deviceInvited", "invitationRevoked",
                        "withdrawn", "restored", "promoted", "notesChanged", "tokenCreated",
                        "tokenRevoked",
                    ]
                )
            }
        }
    }

    @Test func `a dry run on a server checks the build there and publishes nothing`() async throws {
        try await Workplace.run { place in
            try place.build()
            try await place.serving(with: ["--trusted-ca", "anchor.pem"]) { server in
                _ = try await place.json("devices", "add", Self.ana, "--name", "Ana")
                let words = ["publish", "build.ipa", "--trusted-ca", "anchor.pem", "--dry-run"]
                let checked = try await place.json(words + server.options)
                #expect(checked["checkOnly"].boolean == true)
                #expect(checked["devices"]["registered"].number == 1)
                let text = try await place.ota(words + server.options)
                #expect(text.status == 0, "\(text.errors)")
                #expect(text.output.contains("1.4.0-27 would be published on stable; nothing was"))
                let uploads = try await place.json(["uploads", "list"] + server.options)
                #expect(uploads["uploads"].items.isEmpty)
                let listed = try await place.json("releases", "list")
                #expect(listed["releases"].items.isEmpty)
            }
        }
    }

    @Test func `a server that is not to be trusted is not told the token`() async throws {
        try await Workplace.run { place in
            try await place.serving { server in
                func refusal(_ options: String...) async throws -> JSON {
                    let words = [
                        "releases", "list", "--server", server.url, "--token-file", "admin",
                    ]
                    let outcome = try await place.ota(words + options + ["--json"])
                    #expect(outcome.status == 1)
                    return try JSON(outcome.errors)["error"]
                }
                let strange = try await refusal()
                #expect(strange["id"].string == "server.untrusted")
                #expect(strange["fix"].string?.contains("--ca-file") == true)
                let wrong = try await refusal("--fingerprint", String(repeating: "0", count: 64))
                #expect(wrong["id"].string == "server.untrusted")
                let other = try await refusal("--ca-file", "anchor.pem")
                #expect(other["id"].string == "server.untrusted")
                let malformed = try await refusal("--fingerprint", "0")
                #expect(malformed["id"].string == "server.malformed-fingerprint")

                for file in ["leaf.pem", "ca.pem"] {
                    let shown = try await place.run(
                        "/usr/bin/openssl",
                        "x509",
                        "-in",
                        file,
                        "-noout",
                        "-fingerprint",
                        "-sha256",
                    )
                    let digits = try #require(shown.split(separator: "=").last)
                    let listed = try await place.json(
                        [
                            "releases", "list", "--server", server.url, "--token-file", "admin",
                            "--fingerprint", String(digits).trimmingCharacters(in: .newlines),
                        ])
                    #expect(listed["releases"].items.isEmpty, "\(file)")
                }
            }
        }
    }

    @Test func `what is wrong is said with how to fix it`() async throws {
        try await Workplace.run { place in
            try await place.serving { server in
                try place.write("ota_1", to: "nonsense")
                try place.write(
                    "ota_00000000_" + String(repeating: "0", count: 64),
                    to: "unknown",
                )
                _ = try await place.json(
                    "tokens",
                    "create",
                    "--name",
                    "reader",
                    "--scope",
                    "read",
                    "--file",
                    "reader",
                )
                let free = try await place.freeAddress().url
                let cases: [(options: [String], id: String)] = [
                    (["--server", server.url], "token.none"),
                    (["--server", server.url, "--token-file", "nonsense"], "token.malformed"),
                    (["--server", server.url, "--token-file", "missing"], "input.unreadable"),
                    (["--server", server.url, "--token-file", "unknown"], "token.none"),
                    (["--server", server.url, "--token-file", "reader"], "token.not-allowed"),
                    (
                        ["--server", server.url + "/x", "--token-file", "reader"],
                        "server.not-understood",
                    ),
                    (["--server", free, "--token-file", "reader"], "server.unreachable"),
                    (
                        ["--server", "http://localhost", "--token-file", "reader"],
                        "server.malformed-url",
                    ),
                    (
                        ["--server", "https://nowhere.invalid", "--token-file", "reader"],
                        "server.unreachable",
                    ),
                ]
                for (options, id) in cases {
                    let outcome = try await place.ota(
                        ["devices", "list", "--ca-file", "ca.pem", "--json"] + options
                    )
                    #expect(outcome.status == 1)
                    let error = try JSON(outcome.errors)["error"]
                    #expect(error["id"].string == id, "\(options): \(outcome.errors)")
                    #expect(error["fix"].string?.isEmpty == false)
                    #expect(!outcome.errors.contains("ota_0000"))
                }
                let both = try await place.ota(
                    "devices",
                    "list",
                    "--server",
                    server.url,
                    "--store",
                    "ota-store",
                )
                #expect(both.status == 64)
            }
        }
    }

    private static let ana = Workplace.ana
}
