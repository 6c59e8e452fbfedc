import Foundation
import Sample
import TestSupport
import Testing

/// `ota publish`, as CI runs it.
@Suite(.timeLimit(.minutes(10)))
struct PublishCommandTests {
    private let anchor = ["--trusted-ca", "anchor.pem"]

    @Test func `a publish says where the build is, and the same again changes nothing`()
        async throws
    {
        try await Workplace.run { place in
            try place.build()
            let first = try await place.json(
                "publish",
                "build.ipa",
                anchor[0],
                anchor[1],
                "--base-url",
                "https://ota.example.com:8443",
            )
            #expect(
                first.keys.isSuperset(of: [
                    "app", "release", "version", "build", "channel", "sha256", "created", "url",
                    "manifestURL", "ipaURL", "findings",
                ])
            )
            #expect(first["app"].string == "com.vforsh.browsey")
            #expect(first["release"].string == "1.4.0-27")
            #expect(first["channel"].string == "stable")
            #expect(first["created"].boolean == true)
            #expect(first["url"].string == "https://ota.example.com:8443/apps/browsey")
            let manifest = try #require(first["manifestURL"].string)
            #expect(manifest.hasPrefix("https://ota.example.com:8443/install/"))
            #expect(manifest.hasSuffix("/manifest.plist"))
            #expect(first["ipaURL"].string?.hasSuffix(".ipa") == true)

            let again = try await place.json("publish", "build.ipa")
            #expect(again["created"].boolean == false)
            #expect(again["sha256"] == first["sha256"])
            #expect(again["url"] == first["url"], "the base URL is remembered")
            #expect(again["remarks"].items.isEmpty)
            let tagged = try await place.json("publish", "build.ipa", "--tag", "v1.4.0")
            let remark = try #require(tagged["remarks"].items.first?.string)
            #expect(remark.contains("first published with no tag"), "\(remark)")
        }
    }

    @Test func `other bytes under the same version need --replace`() async throws {
        try await Workplace.run { place in
            try place.build()
            let first = try await place.json("publish", "build.ipa", anchor[0], anchor[1])
            try place.build("other.ipa") { $0.resource(.text("more.txt", "other bytes")) }
            let refused = try await place.refusal("publish", "other.ipa")
            #expect(refused["id"].string == "release.other-bytes")
            #expect(refused["fix"].string?.contains("--replace") == true)
            let shown = try await place.json("releases", "show", "browsey", "1.4.0")
            #expect(shown["release"]["sha256"] == first["sha256"])
            let replaced = try await place.json("publish", "other.ipa", "--replace")
            #expect(replaced["created"].boolean == true)
            #expect(replaced["sha256"] != first["sha256"])
        }
    }

    @Test func `an old build again says what its channel offers`() async throws {
        try await Workplace.run { place in
            try place.build()
            try place.build("newer.ipa") { $0.version("1.5.0", build: "30") }
            _ = try await place.json("publish", "build.ipa", anchor[0], anchor[1])
            _ = try await place.json("publish", "newer.ipa")
            let again = try await place.json("publish", "build.ipa")
            #expect(again["offered"].boolean == false)
            let told = try await place.ota("publish", "build.ipa").output
            #expect(told.contains("is already published."), "\(told)")
            #expect(told.contains("stable keeps 1.5.0-30, which was published there later"))
            let rehearsed = try await place.ota("publish", "build.ipa", "--dry-run").output
            #expect(
                rehearsed.contains("is already published; nothing was stored"),
                "\(rehearsed)",
            )

            // A channel offers a build that it has not had before, even if that is older than its current
            // one.
            _ = try await place.json("publish", "newer.ipa", "--channel", "beta")
            let down = try await place.json("publish", "build.ipa", "--channel", "beta")
            #expect(down["created"].boolean == false && down["offered"].boolean == true)
            #expect(down["remarks"].items.first?.string == "beta offered 1.5.0-30 before.")
        }
    }

    @Test func `files that tell of a release are tried before it is made`() async throws {
        try await Workplace.run { place in
            try place.build()
            for option in ["--summary", "--outputs", "--junit"] {
                let refusal = try await place.refusal(
                    "publish",
                    "build.ipa",
                    anchor[0],
                    anchor[1],
                    option,
                    "/nope/file",
                )
                #expect(refusal["id"].string == "output.unwritable")
            }
            let refusal = try await place.refusal("releases", "list")
            #expect(
                refusal["id"].string == "store.no-document",
                "not even a store is made: \(refusal)",
            )
        }
    }

    @Test func `a dry run stores nothing`() async throws {
        try await Workplace.run { place in
            try place.build()
            let rehearsed = try await place.json(
                "publish",
                "build.ipa",
                anchor[0],
                anchor[1],
                "--dry-run",
            )
            #expect(rehearsed["release"].string == "1.4.0-27")
            let none = try await place.refusal("releases", "list")
            #expect(none["id"].string == "store.no-document", "not even a store is made")
            _ = try await place.json("devices", "add", SampleDevices.unlisted)
            _ = try await place.json("publish", "build.ipa", anchor[0], anchor[1], "--dry-run")
            let listed = try await place.json("releases", "list")
            #expect(listed["releases"].items.isEmpty)
            let verified = try await place.json("store", "verify")
            #expect(verified["blobs"].number == 0)
            let real = try await place.json("publish", "build.ipa", anchor[0], anchor[1])
            #expect(real["created"].boolean == true)
        }
    }

    @Test func `notes, tag and commit stay with the release`() async throws {
        try await Workplace.run { place in
            try place.build()
            let outcome = try await place.ota(
                [
                    "publish", "build.ipa", "--notes", "-", "--tag", "v1.4.0", "--commit",
                    "0123456789abcdef0123456789abcdef01234567", "--channel", "beta",
                ] + anchor,
                input: "# New\n\n- tabs sync\n",
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            let shown = try await place.json("releases", "show", "browsey", "1.4.0")
            #expect(shown["release"]["notes"].string == "# New\n\n- tabs sync\n")
            #expect(shown["release"]["tag"].string == "v1.4.0")
            #expect(shown["release"]["channel"].string == "beta")
            #expect(shown["release"]["offeredOn"].items.map(\.string) == ["beta"])
        }
    }

    @Test func `a token without a server publishes nowhere`() async throws {
        try await Workplace.run { place in
            try place.build()
            let outcome = try await Program(path: place.programPath).run(
                ["publish", "build.ipa", "--json"] + anchor,
                environment: ["OTA_TOKEN": "ota_some", "OTA_SERVER": ""],
                in: place.folder,
            )
            #expect(outcome.status == 1)
            #expect(try JSON(outcome.errors)["error"]["id"].string == "server.none")
            #expect(!place.isThere("ota-store"))
        }
    }

    // Options: publish: language
    @Test func `an exported folder is in the language that was asked for`() async throws {
        try await Workplace.run { place in
            try place.build()
            let publish = ["publish", "build.ipa"] + anchor
            let export = ["--export", "site", "--base-url", "https://example.com/browsey"]
            _ = try await place.json(publish + export + ["--language", "ja"])
            for name in ["install.html", "help.html"] {
                let page = String(decoding: try place.bytes("site/\(name)"), as: UTF8.self)
                #expect(page.contains("<html lang=\"ja\" dir=\"ltr\">"), "\(name)")
                #expect(page.contains("インストール"), "\(name)")
            }
        }
    }

    @Test func `a tag says which channel, and what is there keeps its own`() async throws {
        try await Workplace.run { place in
            try place.build()
            let tagged = ["publish", "build.ipa", "--tag", "v1.4.0-beta.1"] + anchor
            #expect(try await place.json(tagged)["channel"].string == "beta")
            let stable = ["publish", "build.ipa", "--tag", "v1.4.0"] + anchor
            #expect(try await place.json(stable)["channel"].string == "stable")
            let again = try await place.ota(stable)
            #expect(again.output.contains("is already published, now on stable"), "\(again)")
            let shown = try await place.json("releases", "show", "browsey", "1.4.0")
            #expect(shown["release"]["offeredOn"].items.compactMap(\.string) == ["beta", "stable"])
        }
    }

    @Test func `a build of another version than its tag needs to be allowed`() async throws {
        try await Workplace.run { place in
            try place.build()
            let tagged = ["publish", "build.ipa", "--tag", "v1.5.0"] + anchor
            let refused = try await place.ota(tagged + ["--json"])
            #expect(refused.status == 1)
            let error = try JSON(refused.errors)["error"]
            #expect(error["id"].string == "publish.other-version")
            #expect(error["fix"].string?.contains("--allow-version-mismatch") == true)
            let allowed = try await place.json(tagged + ["--allow-version-mismatch"])
            #expect(allowed["release"].string == "1.4.0-27")
        }
    }

    @Test func `an exported bundle has all it needs and leaves no store behind`() async throws {
        try await Workplace.run { place in
            try place.build()
            let exported = try await place.json(
                "publish",
                "build.ipa",
                "--export",
                "site",
                "--base-url",
                "https://example.com/browsey",
                anchor[0],
                anchor[1],
            )
            #expect(exported["url"].string == "https://example.com/browsey/install.html")
            #expect(
                exported["manifestURL"].string == "https://example.com/browsey/manifest.plist"
            )
            #expect(try place.bytes("site/App.ipa") == place.bytes("build.ipa"))
            for name in ["manifest.plist", "install.html", "icon-57.png", "icon-512.png"] {
                #expect(place.isThere("site/\(name)"))
            }
            let page = String(decoding: try place.bytes("site/install.html"), as: UTF8.self)
            #expect(page.contains("itms-services://"))
            #expect(page.contains("Browsey"))
            #expect(!place.isThere("ota-store"))
        }
    }

    @Test func `what installs nowhere is refused with every reason`() async throws {
        try await Workplace.run { place in
            try place.build { $0.withoutProfile() }
            let refused = try await place.refusal("publish", "build.ipa", anchor[0], anchor[1])
            #expect(refused["id"].string?.hasPrefix("profile.") == true, "\(refused)")
            let store = try await place.json("releases", "list")
            #expect(store["releases"].items.isEmpty)
        }
    }
}
