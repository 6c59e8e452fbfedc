import Cryptography
import Foundation
import Sample
import TestSupport
import Testing

/// `ota releases sign` and `ota jobs`, with the signing process.
@Suite(.timeLimit(.minutes(10)))
struct SignReleaseTests {
    private static let app = "com.vforsh.browsey"
    private var team: String { DevelopmentTeam.sample.identifier }

    private func write(
        _ name: String,
        devices count: Int,
        in place: Workplace,
        _ change: (inout ProfileBuilder) -> Void = { _ in },
    ) throws {
        var builder = ProfileBuilder(
            .adHoc,
            devices: SampleDevices.list(count),
            created: Date().addingTimeInterval(-60),
        )
        change(&builder)
        let profile = try builder.bytes(
            for: .init(bundleIdentifier: Self.app),
            by: place.authority,
        )
        try Data(profile).write(to: place.folder.appending(path: name))
    }

    /// The number of devices in the release's profile after it was re-signed.
    private func devices(
        _ place: Workplace,
        key: String = "key",
        _ more: [String] = [],
    ) async throws -> Int? {
        let signed = try await place.json(
            ["releases", "sign", "browsey", "1.4.0", "--key-file", key] + more
        )
        return signed["release"]["signings"].items.last?["devices"].number
    }

    /// A published release, and a team with one profile for 101 devices.
    private func prepare(_ place: Workplace) async throws {
        let identity = place.authority.distribution
        try place.write(
            identity.key.pem + identity.certificate.pem + identity.chain.pem,
            to: "identity.pem",
        )
        try write("a.mobileprovision", devices: 101, in: place)
        try place.build()
        _ = try await place.json(["publish", "build.ipa", "--trusted-ca", "anchor.pem"])
        _ = try await place.json([
            "teams", "add", team, "--identity", "identity.pem", "--profile", "a.mobileprovision",
            "--key-file", "key", "--trusted-ca", "anchor.pem",
        ])
    }

    @Test func `a release is signed again with the team's newest profile, and once`() async throws {
        try await Workplace.run { place in
            try await prepare(place)
            let lacking = try await place.refusal("releases", "sign", "browsey", "1.4.0")
            #expect(lacking["id"].string == "signing.no-team")
            _ = try await place.json(["apps", "set", "browsey", "--team", team])
            for (file, id) in [("nowhere", "key-file.missing"), ("wrong", "seal.other-key")] {
                try place.write(String(repeating: "ab", count: 32), to: "wrong")
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600],
                    ofItemAtPath: place.folder.appending(path: "wrong").path(),
                )
                let locked = try await place.refusal(
                    "releases",
                    "sign",
                    "browsey",
                    "1.4.0",
                    "--key-file",
                    file,
                )
                #expect(locked["id"].string == id)
            }
            #expect(try await place.json(["jobs", "list"])["jobs"].items.isEmpty)
            let before = try await place.json(["releases", "show", "browsey", "1.4.0"])
            let signed = try await place.json([
                "releases", "sign", "browsey", "1.4.0", "--key-file", "key",
            ])
            #expect(signed["created"].boolean == true)
            #expect(signed["gained"].number == 1 && signed["lost"].number == 0)
            #expect(signed["job"]["state"].string == "done")
            let signings = signed["release"]["signings"].items
            #expect(signings.count == 1)
            #expect(signings.first?["devices"].number == 101)
            #expect(signings.first?["sha256"].string == signed["release"]["sha256"].string)
            #expect(before["release"]["sha256"].string != signed["release"]["sha256"].string)
            #expect(before["release"]["release"].string == signed["release"]["release"].string)
            #expect(try await place.ota("store", "verify").status == 0)
            #expect(
                try await place.json(["releases", "verify", "browsey", "1.4.0"])["verified"].boolean
                    == true
            )
            let again = try await place.json([
                "releases", "sign", "browsey", "1.4.0", "--key-file", "key",
            ])
            #expect(again["created"].boolean == false)
            #expect(again["release"]["signings"].items.count == 1)
            // The published bytes are still the same release.
            let repeated = try await place.json([
                "publish", "build.ipa", "--trusted-ca", "anchor.pem",
            ])
            #expect(repeated["created"].boolean == false)
        }
    }

    @Test func `given profiles and a named team count, and the published file can be given up`()
        async throws
    {
        try await Workplace.run { place in
            try await prepare(place)
            try write("b.mobileprovision", devices: 3, in: place)
            let signed = try await place.json([
                "releases", "sign", "browsey", "1.4.0", "--team", team, "--profile",
                "b.mobileprovision", "--key-file", "key", "--trusted-ca", "anchor.pem",
            ])
            #expect(signed["release"]["signings"].items.first?["devices"].number == 3)
            #expect(signed["lost"].number == 97)
            let rehearsed = try await place.json([
                "releases", "prune", "browsey", "--originals", "--dry-run",
            ])
            let dropped = try await place.json(["releases", "prune", "browsey", "--originals"])
            for document in [rehearsed, dropped] {
                #expect(document["removed"].items.isEmpty)
                #expect(document["files"].items.map { $0["isOriginal"].boolean } == [true])
                #expect(document["files"].items.first?["sha256"].string?.utf8.count == 64)
            }
            let activity = try await place.json(["activity"])
            #expect(activity["activity"].items.contains { $0["event"].string == "filePruned" })
            let nothing = try await place.ota("releases", "prune", "browsey", "--originals")
            #expect(nothing.output.contains("There is nothing to remove."))
            let pruned = try await place.refusal(
                "releases",
                "sign",
                "browsey",
                "1.4.0",
                "--team",
                team,
            )
            #expect(pruned["id"].string == "signing.original-pruned")
            #expect(try await place.ota("store", "verify").status == 0)
        }
    }

    @Test func `a job waits where it is only queued, and is listed, cancelled and retried`()
        async throws
    {
        try await Workplace.run { place in
            try await prepare(place)
            let queued = try await place.json([
                "releases", "sign", "browsey", "1.4.0", "--team", team, "--queue-only",
            ])
            let job = try #require(queued["job"]["id"].string)
            #expect(queued["job"]["state"].string == "waiting")
            let asked = try await place.json(["activity", "--kind", "signingAsked"])["activity"]
            #expect(asked.items.count == 1 && asked.items.first?["actor"].string?.isEmpty == false)
            #expect(queued["release"]["signings"].items.isEmpty)
            let open = try await place.json(["jobs", "list", "--open"])
            #expect(open["jobs"].items.map { $0["id"].string } == [job])
            let cancelled = try await place.json(["jobs", "cancel", job])
            #expect(cancelled["job"]["state"].string == "cancelled")
            #expect(try await place.json(["jobs", "list", "--open"])["jobs"].items.isEmpty)
            let over = try await place.refusal("jobs", "cancel", job)
            #expect(over["id"].string == "job.is-over")
            let retried = try await place.json(["jobs", "retry", job])
            #expect(retried["job"]["state"].string == "waiting")
            #expect(try await place.json(["jobs", "show", job])["job"]["id"].string == job)
            let shown = try await place.ota("jobs", "show", job).output
            #expect(shown.contains("step: sign\n") && shown.contains("attempts: 0"))
            let words = try await place.ota("jobs", "retry", job).output
            #expect(words.contains("once it is started") && !words.contains("will run now"))
            let limited = try await place.json(["jobs", "list", "--limit", "1"])
            #expect(limited["jobs"].items.count == 1)
        }
    }

    @Test func `what teams set changes is what releases are signed with`() async throws {
        try await Workplace.run { place in
            try await prepare(place)
            _ = try await place.json(["apps", "set", "browsey", "--team", team])
            func set(_ words: String...) async throws -> JSON {
                try await place.json(["teams", "set", team] + words)["team"]
            }
            // Changes the name, and replaces the profile for the same app.
            _ = try await set("--name", "Acme Two")
            #expect(try await place.ota("teams", "list").output.contains("Acme Two"))
            try write("b.mobileprovision", devices: 5, in: place)
            _ = try await set("--profile", "b.mobileprovision", "--trusted-ca", "anchor.pem")
            #expect(try await devices(place) == 5)

            // Another certificate, the only one in its profile, encrypted with another key.
            let renewed = try place.authority.identity(
                .distribution,
                from: Date().addingDays(-1),
                until: Date().addingDays(300),
            )
            try place.write(renewed.pem, to: "new.pem")
            try write("c.mobileprovision", devices: 7, in: place) {
                $0.certificates = [renewed.certificate]
            }
            let before = try await place.json(["teams", "show", team])["team"]["identity"]
            let after = try await set(
                "--identity",
                "new.pem",
                "--profile",
                "c.mobileprovision",
                "--key-file",
                "other-key",
                "--trusted-ca",
                "anchor.pem",
            )["identity"]
            #expect(after["serial"].string == renewed.certificate.serialNumber)
            #expect(after["sealedWith"].string != before["sealedWith"].string)
            #expect(try await devices(place, key: "other-key") == 7)
            #expect(try await place.ota("store", "verify").status == 0)

            // Without a profile, nothing can be signed.
            let shown = try await place.json(["teams", "show", team])["team"]
            let uuid = try #require(shown["profiles"].items.first?["uuid"].string)
            _ = try await set("--remove-profile", uuid)
            let refused = try await place.refusal("releases", "sign", "browsey", "1.4.0")
            #expect(refused["id"].string == "signing.no-profile")
            #expect(refused["place"].string == Self.app)
        }
    }

    private static let openssl = "/usr/bin/openssl"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: openssl)))
    func `an identity that teams set opens with --password-file signs releases`() async throws {
        try await Workplace.run { place in
            try await prepare(place)
            let exported = try await Program(path: Self.openssl).run(
                [
                    "pkcs12", "-export", "-in", "identity.pem", "-passout", "pass:secret", "-out",
                    "id.p12",
                ],
                in: place.folder,
            )
            try #require(exported.status == 0, "\(exported)")
            try place.write("secret\n", to: "right.txt")
            try place.write("wrong\n", to: "wrong.txt")
            let words = [
                "teams", "set", team, "--identity", "id.p12", "--trusted-ca", "anchor.pem",
                "--key-file", "second-key", "--password-file",
            ]
            let wrong = try await place.ota(words + ["wrong.txt", "--json"])
            #expect(try JSON(wrong.errors)["error"]["id"].string == "identity.passphrase-wrong")
            #expect(!place.isThere("second-key"))
            _ = try await place.json(words + ["right.txt"])
            #expect(try await devices(place, key: "second-key", ["--team", team]) == 101)
        }
    }

    @Test func `a profile of another authority counts where --trusted-ca names that`() async throws
    {
        try await Workplace.run { place in
            try await prepare(place)
            let other = try SigningAuthority(validFrom: Date().addingDays(-1))
            try place.write(other.anchorPEM, to: "other.pem")
            var builder = ProfileBuilder(
                .adHoc,
                devices: SampleDevices.list(4),
                created: Date().addingTimeInterval(-60),
            )
            builder.certificates = [place.authority.distribution.certificate]
            let profile = try builder.bytes(for: .init(bundleIdentifier: Self.app), by: other)
            try Data(profile).write(to: place.folder.appending(path: "d.mobileprovision"))
            let words = ["--team", team, "--profile", "d.mobileprovision"]
            let refused = try await place.refusal(
                "releases",
                "sign",
                "browsey",
                "1.4.0",
                "--key-file",
                "key",
                "--team",
                team,
                "--profile",
                "d.mobileprovision",
            )
            #expect(refused["message"].string?.contains("cannot be signed") == true, "\(refused)")
            #expect(try await devices(place, words + ["--trusted-ca", "other.pem"]) == 4)
        }
    }
}
