import Foundation
import Sample
import TestSupport
import Testing

/// `ota releases` and `ota profiles`.
@Suite(.timeLimit(.minutes(10)))
struct ReleaseCommandTests {
    @Test func `releases are listed, shown, withdrawn, restored and promoted`() async throws {
        try await Workplace.run { place in
            for number in 1...2 {
                try place.build { $0.version("1.\(number)", build: "\(number)") }
                _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            }
            let list = try await place.json("releases", "list", "browsey")
            #expect(list["releases"].items.map(\.["release"].string) == ["1.2-2", "1.1-1"])
            #expect(list["releases"].items.map(\.["state"].string) == ["available", "available"])
            let byIdentifier = try await place.json(
                "releases",
                "show",
                "com.vforsh.browsey",
                "1.1",
            )
            #expect(byIdentifier["release"]["release"].string == "1.1-1")

            _ = try await place.json(
                "releases",
                "withdraw",
                "browsey",
                "1.2",
                "--reason",
                "it loses bookmarks",
            )
            let gone = try await place.json("releases", "show", "browsey", "1.2-2")
            #expect(gone["release"]["state"].string == "withdrawn")
            let card = try await place.ota("releases", "show", "browsey", "1.2").output
            #expect(card.contains("cannot be installed until it is restored"), "\(card)")
            #expect(!card.contains("Installs") && !card.contains("can install it"), "\(card)")
            _ = try await place.json("releases", "restore", "browsey", "1.2")
            let offered = try await place.ota("releases", "show", "browsey", "1.2").output
            #expect(offered.contains("Installs"), "\(offered)")
            let back = try await place.json("releases", "show", "browsey", "1.2")
            #expect(back["release"]["state"].string == "available")

            let first = try await place.json(
                ["releases", "promote", "browsey", "1.1", "--channel", "beta"]
            )
            #expect(first["findings"].items.isEmpty, "nothing was offered there before")
            let promoted = try await place.json("releases", "show", "browsey", "1.1")
            #expect(promoted["release"]["offeredOn"].items.map(\.string) == ["beta"])
            let unknown = try await place.refusal("releases", "show", "browsey", "9.9")
            #expect(unknown["id"].string == "release.unknown")
            let noApp = try await place.refusal("releases", "list", "nothing")
            #expect(noApp["id"].string == "app.unknown")
        }
    }

    @Test func `a release is not promoted below what is offered without a word`() async throws {
        try await Workplace.run { place in
            for number in 1...2 {
                try place.build { $0.version("1.\(number)", build: "\(number)") }
                _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            }
            func promote(_ release: String) async throws -> JSON {
                try await place.json(["releases", "promote", "browsey", release])
            }
            let down = try await promote("1.1")
            #expect(down["release"]["offeredOn"].items.map(\.string) == ["stable"])
            #expect(
                down["findings"].items.map(\.["id"].string) == ["history.version-not-above"]
            )
            #expect(try await promote("1.1")["findings"].items.isEmpty, "it is offered already")
            #expect(try await promote("1.2")["findings"].items.isEmpty, "it is above")
            try await place.serving { server in
                for options in [[], server.options] {
                    let words = ["releases", "promote", "browsey"]
                    let told = try await place.ota(words + ["1.1"] + options)
                    #expect(told.status == 0)
                    #expect(told.output.contains("Browsey 1.1-1 is now on stable."))
                    #expect(
                        told.output.contains(
                            "1.1 (1) is not higher than 1.2 (2) of the channel stable."
                        )
                    )
                    let undo = "ota releases promote browsey 1.2-2 --channel stable"
                    #expect(told.output.contains("To undo it: \(undo)"))
                    let back = try await place.ota(words + ["1.2"] + options)
                    #expect(!back.output.contains("not higher"))
                }
            }
        }
    }

    @Test func `pruning keeps what a channel offers`() async throws {
        try await Workplace.run { place in
            for number in 1...4 {
                try place.build { $0.version("1.\(number)", build: "\(number)") }
                _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            }
            _ = try await place.json("releases", "promote", "browsey", "1.1", "--channel", "old")
            let plan = try await place.json(
                "releases",
                "prune",
                "browsey",
                "--keep",
                "1",
                "--dry-run",
            )
            #expect(Set(plan["removed"].items.map(\.string)) == ["1.2-2", "1.3-3"])
            #expect(try await place.json("releases", "list")["releases"].items.count == 4)
            _ = try await place.json("releases", "prune", "browsey", "--keep", "1")
            let left = try await place.json("releases", "list")
            #expect(Set(left["releases"].items.map(\.["release"].string)) == ["1.4-4", "1.1-1"])
            let collected = try await place.json("store", "gc", "--older-than", "0h")
            #expect((collected["blobs"].number ?? 0) > 0)
            let verified = try await place.json("store", "verify")
            #expect(verified["problems"].items.isEmpty)
        }
    }

    @Test func `profiles that expire soon make the check fail`() async throws {
        try await Workplace.run { place in
            try place.build(at: Date(timeIntervalSinceNow: -350 * 86_400))
            _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            let soon = try await place.json("profiles", "check", "--within", "30d", status: 1)
            #expect(soon["profiles"].items.count == 1)
            let items = soon["items"].items
            #expect(items.compactMap { $0["kind"].string } == ["profile"])
            #expect(items.allSatisfy { $0["places"].items.count == 1 })
            let text = try await place.ota(["profiles", "check", "--within", "30d"])
            #expect(text.status == 1 && text.output.contains("profile"))
            let far = try await place.json("profiles", "check", "--within", "7d")
            #expect(far["profiles"].items.isEmpty)

            try place.build("new.ipa") { $0.version("2.0", build: "1") }
            _ = try await place.json("publish", "new.ipa")
            let renewed = try await place.json("profiles", "check", "--within", "30d")
            #expect(renewed["profiles"].items.isEmpty, "only what is offered now counts")
            let all = try await place.json("profiles", "list")
            #expect(all["profiles"].items.count == 2)
            let app = try #require(
                all["profiles"].items.first?["usedIn"].items.first?["app"].string
            )
            let releases = all["profiles"].items.map {
                $0["usedIn"].items.first?["release"].string
            }
            let changes = try await place.json("releases", "diff", app, "2.0")
            #expect(changes["with"].string == releases.first { $0 != "2.0-1" })
            let words = try await place.ota("releases", "diff", app, "2.0", "2.0").output
            #expect(words.contains("2.0-1 since 2.0-1: no change."))
            let own = try await place.json("profiles", "list", "--app", app)
            #expect(own["profiles"].items.count == 2)
            #expect(try await place.ota("profiles", "list", "--app", "none").status == 1)
            let uuid = try #require(all["profiles"].items.first?["uuid"].string)
            let shown = try await place.json("profiles", "show", uuid)
            #expect(shown["profile"]["devices"].number == 100)
        }
    }

    @Test func `a profile can be watched that is in no build yet`() async throws {
        try await Workplace.run { place in
            let now = Date()
            let profile = ProfileBuilder(
                .adHoc,
                devices: SampleDevices.list(2),
                created: now,
                expires: now.addingTimeInterval(5 * 86_400),
            )
            let subject = ProfileBuilder.Subject(bundleIdentifier: "com.example.later")
            let bytes = try profile.bytes(for: subject, by: place.authority)
            try Data(bytes).write(to: URL(filePath: place.path("later.mobileprovision")))
            let added = try await place.json(
                "profiles",
                "add",
                "later.mobileprovision",
                "--trusted-ca",
                "anchor.pem",
            )
            #expect(added["profiles"].items.first?["devices"].number == 2)
            _ = try await place.json("profiles", "check", "--within", "30d", status: 1)
            try place.write("no profile", to: "wrong.mobileprovision")
            let wrong = try await place.refusal("profiles", "add", "wrong.mobileprovision")
            #expect(wrong["id"].string == "profile.malformed")
        }
    }
}
