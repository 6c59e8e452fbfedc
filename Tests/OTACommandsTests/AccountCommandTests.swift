import Cryptography
import Foundation
import Sample
import TestSupport
import Testing

/// `ota teams` with a developer account at Apple.
@Suite(.timeLimit(.minutes(10)))
struct AccountCommandTests {
    private var team: String { DevelopmentTeam.sample.identifier }

    /// Runs a test with a team whose key the App Store Connect test server knows.
    private func run(_ body: (Workplace, AppleRoom) async throws -> Void) async throws {
        try await Workplace.run { place in
            try await place.withApple { apple in
                let added = try await place.json([
                    "teams", "add", team, "--name", "Acme", "--api-key", apple.keyFile, "--issuer",
                    apple.issuer, "--key-file", "key",
                ])
                #expect(added["createdKeyFile"].string == "key")
                #expect(added["team"]["account"]["keyID"].string == apple.keyID)
                try await body(place, apple)
            }
        }
    }

    /// A part of the private key that occurs in no other text.
    private func secret(_ place: Workplace, _ apple: AppleRoom) throws -> String {
        let pem = try String(decoding: place.bytes(apple.keyFile), as: UTF8.self)
        return String(try #require(pem.split(separator: "\n").dropFirst().first))
    }

    @Test func `an API key is kept sealed, replaced, and removed with every copy`() async throws {
        try await run { place, apple in
            let secret = try secret(place, apple)
            let file = "ota-store/teams/\(team).json"
            let first = try String(decoding: place.bytes(file), as: UTF8.self)
            #expect(!first.contains(secret))
            let shown = try await place.ota("teams", "show", team)
            #expect(shown.output.contains("API key \(apple.keyID)"))
            #expect(!shown.output.contains(secret))
            try place.write(
                String(decoding: place.bytes(apple.keyFile), as: UTF8.self),
                to: "other.pem",
            )
            let changed = try await place.json([
                "teams", "set", team, "--api-key", "other.pem", "--issuer", apple.issuer,
                "--key-id", "ABCDE12345", "--key-file", "key",
            ])
            #expect(changed["team"]["account"]["keyID"].string == "ABCDE12345")
            let previous = try String(decoding: place.bytes(file + "@previous"), as: UTF8.self)
            #expect(!previous.contains(apple.keyID))
            // An identity must be encrypted with the same key as the API key.
            let signer = place.authority.distribution
            try place.write(
                signer.key.pem + signer.certificate.pem + signer.chain.pem,
                to: "identity.pem",
            )
            let identity = [
                "teams", "set", team, "--identity", "identity.pem", "--trusted-ca", "anchor.pem",
                "--json", "--key-file",
            ]
            let absent = try await place.ota(identity + ["second-key"])
            #expect(try JSON(absent.errors)["error"]["id"].string == "key-file.missing")
            #expect(!place.isThere("second-key"))
            try place.write(String(repeating: "ab", count: 32), to: "wrong")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: place.path("wrong"),
            )
            let wrong = try await place.ota(identity + ["wrong"])
            #expect(try JSON(wrong.errors)["error"]["id"].string == "team.other-key")
            let without = try await place.json("teams", "set", team, "--remove-api-key")
            #expect(without["team"]["account"] == .null)
            for name in [file, file + "@previous"] {
                let text = try String(decoding: place.bytes(name), as: UTF8.self)
                #expect(!text.contains("sealed"))
            }
            let again = try await place.refusal("teams", "set", team, "--remove-api-key")
            #expect(again["id"].string == "team.no-account")
            let activity = try await place.ota("activity")
            #expect(activity.output.contains("API key ABCDE12345"))
            #expect(!activity.output.contains(secret))
        }
    }

    @Test func `what is no API key is refused, and names its file`() async throws {
        try await Workplace.run { place in
            try place.write("no key\n", to: "AuthKey_2X9R4HXF34.p8")
            let words = [
                "teams", "add", team, "--api-key", "AuthKey_2X9R4HXF34.p8", "--key-file", "key",
                "--json",
            ]
            let issuer = ["--issuer", "57246542-96fe-1a63-e053-0824d011072a"]
            let malformed = try JSON(try await place.ota(words + issuer).errors)["error"]
            #expect(malformed["id"].string == "apple-key.malformed")
            #expect(malformed["place"].string == "AuthKey_2X9R4HXF34.p8")
            let bad = try JSON(try await place.ota(words + ["--issuer", "me"]).errors)["error"]
            #expect(bad["id"].string == "apple-key.issuer")
            #expect(try await place.ota(words).status == 64)
            let nameless = try await place.ota(
                ["teams", "add", team, "--api-key", "key.p8", "--key-file", "key"] + issuer
            )
            #expect(nameless.status == 64 && nameless.errors.contains("--key-id"))
            #expect(!place.isThere("key"))
        }
    }

    @Test func `a check says what the account has and lacks`() async throws {
        try await run { place, apple in
            try place.build()
            _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            _ = try await place.json(["apps", "set", "browsey", "--team", team])
            let words = ["teams", "check", team, "--key-file", "key"] + apple.options
            let first = try await place.json(words, status: 1)
            #expect(first["good"].boolean == false)
            let texts = first["lines"].items.compactMap { $0["text"].string }
            #expect(texts[0] == "the key \(apple.keyID) may read devices, certificates, App IDs")
            #expect(texts.contains { $0.contains("no private key to sign with") })
            #expect(texts.contains { $0.contains("100 iPhone slots left of 100") })
            #expect(texts.contains { $0.hasPrefix("the team has no App ID for ") })
            #expect(texts.contains { $0.contains("no admin has yet allowed") })
            let text = try await place.ota(words)
            #expect(text.status == 1 && text.output.contains("✗") && text.output.contains("✓"))
            // What Apple denies the key is reported on a line too.
            try await place.order(#"{"isKeyRevoked": true}"#, at: apple)
            let refused = try await place.json(words, status: 1)
            #expect(refused["lines"].items.first?["verdict"].string == "missing")
            #expect(refused["lines"].items.first?["fix"].string?.contains("team key") == true)
            let secret = try secret(place, apple)
            #expect(!text.output.contains(secret))
            // Without its authority, the server is not trusted.
            let strange = try await place.ota(
                ["teams", "check", team, "--key-file", "key", "--json"]
                    + apple.options.prefix(2)
            )
            let untrusted = try JSON(strange.errors)["error"]
            #expect(untrusted["id"].string == "apple.untrusted")
            #expect(untrusted["message"].string?.contains("not from a trusted authority") == true)
            #expect(untrusted["fix"].string?.contains("--apple-ca-file") == true)
        }
    }

    @Test func `nothing is changed at Apple before somebody agrees`() async throws {
        try await run { place, apple in
            _ = try await place.json("devices", "add", Workplace.ana, "--name", "Ana")
            let words = ["teams", "sync", team, "--key-file", "key"] + apple.options
            let plan = try await place.json(words + ["--dry-run"])
            #expect(
                plan["steps"].items.map(\.string) == [
                    "register “Ana” with Apple, which uses one iPhone slot"
                ]
            )
            #expect(plan["agreed"] == .null && plan["job"] == .null)
            let unasked = try await place.ota(words)
            #expect(unasked.status == 1)
            #expect(unasked.output.contains("would register “Ana” with Apple"))
            #expect(unasked.errors.contains("ota teams sync \(team) --yes"))
            #expect(try await place.json("jobs", "list")["jobs"].items.isEmpty)
            #expect(try await place.state(of: apple)["devices"].items.isEmpty)
            let agreed = try await place.json(words + ["--yes", "--no-wait"])
            #expect(agreed["agreed"].string != nil)
            #expect(agreed["job"]["kind"].string == "register-device")
            let job = try #require(agreed["job"]["id"].string)
            let repeated = try await place.json(words + ["--no-wait"])
            #expect(repeated["job"]["id"].string == job)
            let shown = try await place.json("teams", "show", team)["team"]["account"]
            #expect(shown["agreedBy"].string == "tests")
            #expect(shown["snapshot"]["known"].number == 0)
            let activity = try await place.json("activity")["activity"].items
            #expect(activity.count { $0["event"].string == "accountAgreed" } == 1)
            // No output of the commands contains a device identifier.
            let said = [unasked.output, unasked.errors, "\(plan)", "\(agreed)"]
            #expect(!said.contains { $0.contains(Workplace.ana) })
        }
    }

    @Test func `a sync that is followed ends with the device registered`() async throws {
        try await run { place, apple in
            _ = try await place.json("devices", "add", Workplace.ana, "--name", "Ana")
            let words = ["teams", "sync", team, "--yes", "--key-file", "key"] + apple.options
            let synced = try await place.json(words)
            #expect(synced["job"]["state"].string == "done")
            let devices = try await place.state(of: apple)["devices"].items
            #expect(devices.map { $0["attributes"]["name"].string } == ["Ana"])
            let again = try await place.json(words)
            #expect(again["steps"].items.isEmpty && again["job"] == .null)
        }
    }

    @Test func `what Apple says of a device is in the list, and what it does not know`()
        async throws
    {
        try await run { place, apple in
            _ = try await place.json("devices", "add", Workplace.ana, "--name", "Ana")
            let sync = ["teams", "sync", team, "--yes", "--key-file", "key"] + apple.options
            _ = try await place.json(sync)
            let before = try await place.json("devices", "list")["devices"].items.first
            #expect(before?["state"].string == "registered")
            #expect(before?["atApple"].string == "enabled")
            for (order, value, words) in [
                (#""status": "DISABLED""#, "disabled", "registered, disabled at Apple"),
                (#""isRemoved": true"#, "unknown", "registered, unknown to Apple"),
            ] {
                let json = #"{"devices": [{"udid": "\#(Workplace.ana)", \#(order)}]}"#
                try await place.order(json, at: apple)
                _ = try await place.json(sync)
                let shown = try await place.json("devices", "show", Workplace.ana)["device"]
                #expect(shown["atApple"].string == value)
                #expect(try await place.ota("devices", "list").output.contains(words))
            }
        }
    }

    @Test
    func `a certificate is created where the account has none, and not before it is asked for`()
        async throws
    {
        try await run { place, apple in
            let words = ["teams", "certificate", team, "--key-file", "key"] + apple.options
            let plan = try await place.json(words)
            #expect(plan["plan"].string == "create" && plan["job"] == .null)
            #expect(try await place.json("jobs", "list")["jobs"].items.isEmpty)
            let asked = try await place.json(words + ["--create", "--no-wait"])
            #expect(asked["job"]["kind"].string == "renew-certificate")
            #expect(try await place.ota(words + ["--no-wait"]).status == 64)
        }
    }

    @Test func `a certificate that Apple refuses ends with the reason and what to do`() async throws
    {
        try await run { place, apple in
            try await place.order(#"{"certificateLimit": 0}"#, at: apple)
            let words = ["teams", "certificate", team, "--create", "--key-file", "key", "--json"]
            let outcome = try await place.ota(words + apple.options)
            #expect(outcome.status == 1 && outcome.output.isEmpty)
            let error = try JSON(outcome.errors)["error"]
            #expect(error["id"].string == "job.waiting")
            #expect(error["message"].string?.contains("is waiting: ") == true)
            #expect(error["fix"].string?.isEmpty == false)
            let job = try #require(error["place"].string)
            _ = try await place.json("jobs", "cancel", job)
            let shown = try await place.ota("jobs", "show", job)
            #expect(!shown.output.contains("fix: "))
        }
    }

    @Test func `a server asks Apple for its admins at the address that it is given`() async throws {
        try await run { place, apple in
            try await place.serving(with: ["--key-file", "key"] + apple.options) { server in
                let checked = try await place.json(
                    ["teams", "check", team] + server.options,
                    status: 1,
                )
                #expect(checked["lines"].items.first?["verdict"].string == "good")
                let plan = try await place.json(
                    ["teams", "sync", team, "--dry-run"] + server.options
                )
                #expect(plan["team"].string == team)
                let own = try await place.ota(
                    ["teams", "check", team] + server.options + apple.options
                )
                #expect(own.status == 64 && own.errors.contains("--apple-url"))
                let bad = try await place.ota("serve", "--apple-url", "http://localhost")
                #expect(bad.status == 1 && bad.errors.contains("https"))
            }
        }
    }
}
