import Foundation
import Sample
import TestSupport
import Testing

/// The JSON about builds on which scripts rely, key by key.
@Suite(.timeLimit(.minutes(10)))
struct BuildContractTests {
    @Test func `inspect gives identity, profile and what is nested`() async throws {
        try await Workplace.run { place in
            let now = Date()
            try SampleApps.forks(by: place.authority, at: now).editing { $0.app.hasIcon = false }
                .build(to: place.path("forks.ipa"))
            let forks = try await place.json("inspect", "forks.ipa", "--trusted-ca", "anchor.pem")
            #expect(
                forks.keys.isSuperset(of: [
                    "schema", "bundleIdentifier", "name", "version", "build", "minimumOS",
                    "families", "size", "sha256", "profile", "nested",
                ])
            )
            #expect(forks["bundleIdentifier"].string == "com.example.forks")
            #expect(forks["name"].string == "Forks")
            #expect(forks["version"].string == "3.1.0")
            #expect(forks["build"].string == "412")
            #expect(forks["minimumOS"].string == "17.0")
            #expect(forks["families"].items.map(\.string) == ["iphone", "ipad"])
            #expect(forks["size"].number == (try place.bytes("forks.ipa")).count)
            #expect(forks["sha256"].string?.count == 64)
            let profile = forks["profile"]
            #expect(
                profile.keys.isSuperset(of: [
                    "uuid", "name", "type", "team", "teamName", "created", "expires", "devices",
                    "verified",
                ])
            )
            #expect(profile["type"].string == "ad-hoc")
            #expect(profile["devices"].number == 30)
            #expect(profile["verified"].boolean == true)
            #expect(profile["expires"].string.flatMap { try? Date($0, strategy: .iso8601) } != nil)
            let nested = forks["nested"].items
            #expect(nested.count == 6)
            #expect(
                Set(nested.compactMap(\.["kind"].string)) == [
                    "app-extension", "framework", "watch-app",
                ]
            )
            for bundle in nested {
                #expect(
                    bundle.keys.isSuperset(of: [
                        "path", "kind", "bundleIdentifier", "version", "build", "profile",
                    ])
                )
            }
        }
    }

    @Test func `inspect names devices only when asked`() async throws {
        try await Workplace.run { place in
            try place.build()
            let quiet = try await place.ota(
                "inspect",
                "build.ipa",
                "--trusted-ca",
                "anchor.pem",
                "--json",
            )
            #expect(!quiet.output.contains(SampleDevices.one))
            let named = try await place.ota(
                "inspect",
                "build.ipa",
                "--trusted-ca",
                "anchor.pem",
                "--json",
                "--udids",
            )
            #expect(named.output.contains(SampleDevices.one))
        }
    }

    @Test(arguments: [
        ("development", ProfileBuilder.Kind.development, 3 as Int?),
        ("enterprise", .enterprise, nil), ("app-store", .appStore, nil),
    ])
    func `inspect names the kind of profile`(
        type: String,
        kind: ProfileBuilder.Kind,
        devices: Int?,
    ) async throws {
        try await Workplace.run { place in
            try place.build {
                $0.profile(ProfileBuilder(kind, devices: SampleDevices.list(3), created: $0.date))
            }
            let build = try await place.json("inspect", "build.ipa", "--trusted-ca", "anchor.pem")
            #expect(build["profile"]["type"].string == type)
            #expect(build["profile"].keys.contains("devices"))
            #expect(build["profile"]["devices"].number == devices)
        }
    }

    @Test func `validate gives a verdict, and one for a device when asked`() async throws {
        try await Workplace.run { place in
            try place.build()
            let anchor = ["--trusted-ca", "anchor.pem"]
            let open = try await place.json("validate", "build.ipa", anchor[0], anchor[1])
            #expect(open["verdict"].string == "unknown")
            for finding in open["findings"].items {
                #expect(
                    finding.keys.isSuperset(of: [
                        "id", "severity", "place", "message", "fix", "appleCode",
                    ])
                )
                #expect(["blocks", "warns", "notes"].contains(finding["severity"].string))
            }
            let listed = try await place.json(
                "validate",
                "build.ipa",
                anchor[0],
                anchor[1],
                "--device",
                SampleDevices.list(100)[99],
            )
            #expect(listed["verdict"].string == "installs")
            let other = try await place.json(
                "validate",
                "build.ipa",
                anchor[0],
                anchor[1],
                "--device",
                SampleDevices.unlisted,
                status: 1,
            )
            #expect(other["verdict"].string == "blocked")
            let blocking = other["findings"].items.filter { $0["severity"].string == "blocks" }
            #expect(blocking.map(\.["id"].string) == ["device.not-in-profile"])
        }
    }

    @Test func `validate judges for a day to come`() async throws {
        try await Workplace.run { place in
            try place.build()
            let day = Date(timeIntervalSinceNow: 366 * 86_400).formatted(
                .iso8601.year().month().day()
            )
            let late = try await place.json(
                "validate",
                "build.ipa",
                "--trusted-ca",
                "anchor.pem",
                "--at",
                day,
                status: 1,
            )
            #expect(late["verdict"].string == "blocked")
            #expect(late["findings"].items.contains { $0["id"].string == "profile.expired" })
        }
    }

    @Test func `validate compares with what a store has, where there is one`() async throws {
        try await Workplace.run { place in
            let anchor = ["--trusted-ca", "anchor.pem"]
            try place.build("older.ipa") { $0.version("1.3.9", build: "99") }
            let alone = try await place.json("validate", "older.ipa", anchor[0], anchor[1])
            #expect(!alone["findings"].items.contains { $0["id"].string == Self.notAbove })
            let unfound = try await place.refusal("validate", "older.ipa", "--channel", "stable")
            #expect(unfound["id"].string == "store.no-document")

            try place.build()
            let published = try await place.ota(["publish", "build.ipa"] + anchor)
            #expect(published.status == 0, "\(published)")
            let older = try await place.json("validate", "older.ipa", anchor[0], anchor[1])
            #expect(older["findings"].items.contains { $0["id"].string == Self.notAbove })
            let beta = try await place.json(
                "validate",
                "older.ipa",
                anchor[0],
                anchor[1],
                "--channel",
                "beta",
            )
            #expect(!beta["findings"].items.contains { $0["id"].string == Self.notAbove })
        }
    }

    private static let notAbove = "history.version-not-above"

    @Test func `validate speaks to GitHub and to test reports`() async throws {
        try await Workplace.run { place in
            try place.build { $0.withoutProfile() }
            let github = try await place.ota("validate", "build.ipa", "--format", "github")
            #expect(github.status == 1)
            #expect(github.output.hasPrefix("::error "))
            let junit = try await place.ota("validate", "build.ipa", "--format", "junit")
            #expect(junit.status == 1)
            #expect(junit.output.hasPrefix("<?xml"))
            #expect(junit.output.contains("profile."))
        }
    }

    @Test func `what cannot be read is refused by name`() async throws {
        try await Workplace.run { place in
            try place.write("this is no archive", to: "text.ipa")
            let inspected = try await place.refusal("inspect", "text.ipa")
            #expect(inspected["id"].string == "zip.not-an-archive")
            #expect(inspected["fix"].string?.isEmpty == false)
            let validated = try await place.json("validate", "text.ipa", status: 1)
            #expect(validated["verdict"].string == "blocked")
            #expect(validated["findings"].items.first?["id"].string == "zip.not-an-archive")
            let published = try await place.refusal("publish", "text.ipa")
            #expect(published["id"].string == "zip.not-an-archive")
            for command in ["inspect", "validate", "publish"] {
                let absent = try await place.refusal(command, "absent.ipa")
                #expect(absent["id"].string == "input.unreadable", "\(command)")
                #expect(absent["message"].string == "there is no file absent.ipa", "\(command)")
            }
            let notes = try await place.refusal("publish", "text.ipa", "--notes", "absent.md")
            #expect(notes["message"].string == "there is no file absent.md")
        }
    }

    @Test func `an untrusted authority is refused until it is named`() async throws {
        try await Workplace.run { place in
            try place.build()
            let judged = try await place.json("validate", "build.ipa", status: 1)
            #expect(judged["verdict"].string == "blocked")
            let refused = try await place.refusal("publish", "build.ipa")
            #expect(refused["id"].string?.isEmpty == false)
            let named = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            #expect(named["created"].boolean == true)
            try place.build("next.ipa") { $0.version("2.0", build: "1") }
            let remembered = try await place.json("publish", "next.ipa")
            #expect(remembered["created"].boolean == true)
        }
    }
}
