import Cryptography
import Foundation
import Sample
import TestSupport
import Testing

/// The subcommands of `ota teams`.
@Suite(.timeLimit(.minutes(10)))
struct TeamCommandTests {
    /// Writes the team's certificate and a profile that lists it into the folder.
    private func files(_ place: Workplace, profile name: String = "a.mobileprovision") throws {
        let identity = place.authority.distribution
        try place.write(
            identity.key.pem + identity.certificate.pem + identity.chain.pem,
            to: "identity.pem",
        )
        let profile = try ProfileBuilder(
            .adHoc,
            devices: ["00008120-000000000000001E"],
            created: Date().addingDays(-1),
        ).bytes(
            for: ProfileBuilder.Subject(bundleIdentifier: "com.example.app"),
            by: place.authority,
        )
        try Data(profile).write(to: place.folder.appending(path: name))
    }

    private var team: String { DevelopmentTeam.sample.identifier }

    @Test func `a team is kept sealed, listed, used by an app, changed and removed`() async throws {
        try await Workplace.run { place in
            try files(place)
            let added = try await place.json([
                "teams", "add", team, "--name", "Acme", "--identity", "identity.pem", "--profile",
                "a.mobileprovision", "--key-file", "key", "--trusted-ca", "anchor.pem",
            ])
            #expect(added["createdKeyFile"].string == "key")
            let key = try String(decoding: place.bytes("key"), as: UTF8.self)
            let mode = try FileManager.default.attributesOfItem(
                atPath: place.path("key")
            )[.posixPermissions]
            #expect(mode as? Int == 0o600)
            #expect(added["team"]["identity"]["kind"].string == "distribution")
            #expect(added["team"]["profiles"].items.first?["type"].string == "ad-hoc")
            for verb in ["list", "show"] {
                let words = ["teams", verb] + (verb == "show" ? [team] : [])
                let shown = try await place.ota(words)
                #expect(shown.status == 0 && shown.output.contains("Acme"), "\(shown)")
                #expect(!shown.output.contains(key.prefix(64)))
            }
            let stored = try String(
                decoding: place.bytes("ota-store/teams/\(team).json"),
                as: UTF8.self,
            )
            #expect(!stored.contains("PRIVATE KEY") && !stored.contains(key.prefix(64)))

            try place.build()
            let publish = try await place.ota("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            #expect(publish.status == 0, "\(publish)")
            let set = try await place.json([
                "apps", "set", "browsey", "--team", team, "--signing", "automatic",
            ])
            #expect(set["app"]["team"].string == team)
            #expect(set["app"]["signing"].string == "automatic")
            let shown = try await place.ota("apps", "show", "browsey")
            #expect(shown.output.contains("for team \(team)"))
            let used = try await place.refusal("teams", "remove", team)
            #expect(used["id"].string == "team.in-use")
            _ = try await place.json(["apps", "set", "browsey", "--team", "none"])

            let backup = try await place.json(["store", "backup", "backup.tar"])
            #expect(backup["sealedIdentities"].items.map(\.string) == [team])
            let bytes = try Data(place.bytes("backup.tar"))
            #expect(bytes.firstRange(of: Data(key.prefix(64).utf8)) == nil)
            #expect(try await place.ota("store", "verify").status == 0)

            try files(place, profile: "b.mobileprovision")
            let changed = try await place.json([
                "teams", "set", team, "--name", "Acme Two", "--profile", "b.mobileprovision",
                "--trusted-ca", "anchor.pem",
            ])
            let profile = changed["team"]["profiles"].items.first?["uuid"].string
            let uuid = try #require(profile)
            #expect(changed["team"]["name"].string == "Acme Two")
            let without = try await place.json([
                "teams", "set", team, "--remove-profile", uuid,
            ])
            #expect(without["team"]["profiles"].items.isEmpty)
            _ = try await place.json(["teams", "remove", team])
            #expect(try await place.json(["teams", "list"])["teams"].items.isEmpty)
            #expect(!place.isThere("ota-store/teams/\(team).json"))
            #expect(!place.isThere("ota-store/teams/\(team).json@previous"))
        }
    }

    @Test func `a passphrase comes from a file, and the identity that is refused is named`()
        async throws
    {
        try await Workplace.run { place in
            try files(place)
            let openssl = Program(path: "/usr/bin/openssl")
            guard FileManager.default.isExecutableFile(atPath: openssl.path) else { return }
            let made = try await openssl.run(
                [
                    "pkcs12", "-export", "-legacy", "-in", "identity.pem", "-passout",
                    "pass:secret", "-out", "id.p12",
                ],
                in: place.folder,
            )
            #expect(made.status == 0, "\(made)")
            try place.write("wrong\n", to: "wrong.txt")
            try place.write("secret\n", to: "right.txt")
            let words = [
                "teams", "add", team, "--identity", "id.p12", "--trusted-ca", "anchor.pem",
                "--key-file", "key",
            ]
            let none = try await place.ota(words + ["--json"])
            #expect(try JSON(none.errors)["error"]["id"].string == "identity.passphrase-needed")
            let wrong = try await place.ota(words + ["--json", "--password-file", "wrong.txt"])
            let error = try JSON(wrong.errors)["error"]
            #expect(error["id"].string == "identity.passphrase-wrong")
            #expect(error["place"].string == "id.p12")
            #expect(!place.isThere("key"))
            let added = try await place.json(words + ["--password-file", "right.txt"])
            #expect(added["team"]["name"].string == DevelopmentTeam.sample.name)
            let inside = try await place.ota(
                [
                    "teams", "set", team, "--identity", "identity.pem", "--trusted-ca",
                    "anchor.pem",
                    "--json",
                ],
                environment: ["OTA_KEY_FILE": "ota-store/key"],
            )
            #expect(try JSON(inside.errors)["error"]["id"].string == "key-file.inside-store")
        }
    }

    @Test func `a server that is given a bad key file does not start`() async throws {
        try await Workplace.run { place in
            try place.write("not a key\n", to: "key")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: place.path("key"),
            )
            let outcome = try await place.ota(
                "serve",
                "--port",
                "0",
                "--no-plain",
                "--key-file",
                "key",
            )
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("64 hexadecimal digits"))
            // A path inside the store is refused, even if the file does not exist.
            _ = try await place.json("devices", "add", Workplace.ana, "--name", "Ana")
            let inside = try await place.ota(
                "serve",
                "--port",
                "0",
                "--no-plain",
                "--key-file",
                "ota-store/key",
            )
            #expect(inside.status == 1 && inside.errors.contains("is in the store"))
        }
    }
}
