import Foundation
import Identifiers
import Sample
import TestSupport
import Testing

/// The subcommands of `ota apps`.
@Suite(.timeLimit(.minutes(10)))
struct AppCommandTests {
    private static let words = "tabs in the dark"

    private static func run(_ body: (Workplace) async throws -> Void) async throws {
        try await Workplace.run { place in
            try place.build()
            let published = try await place.ota(
                "publish",
                "build.ipa",
                "--trusted-ca",
                "anchor.pem",
            )
            try #require(published.status == 0, "\(published.errors)")
            try await body(place)
        }
    }

    @Test func `an app is listed, shown and changed`() async throws {
        try await Self.run { place in
            let listed = try #require(try await place.json("apps", "list")["apps"].items.first)
            #expect(listed["slug"].string == "browsey")
            #expect(listed["access"].string == "open")
            let changed = try await place.json(
                "apps",
                "set",
                "browsey",
                "--title",
                "Browsey Beta",
                "--slug",
                "browsey-beta",
                "--unlisted",
                "--access",
                "enrolled",
            )["app"]
            #expect(changed["title"].string == "Browsey Beta")
            #expect(changed["slug"].string == "browsey-beta")
            #expect(changed["access"].string == "enrolled")
            let former = try await place.ota("apps", "show", "browsey")
            #expect(former.status == 0, "the earlier name goes on")
            #expect(former.output.contains("Access: approved devices; not on the start page."))
            #expect(former.output.contains("stable offers 1.4.0-27"))
            _ = try await place.json("releases", "withdraw", "browsey", "1.4.0")
            let withdrawn = try await place.ota("apps", "show", "browsey").output
            #expect(withdrawn.contains("stable has 1.4.0-27, which is withdrawn"), "\(withdrawn)")
        }
    }

    // Options: apps list: archived
    @Test func `an app is archived, refuses builds, and is brought back`() async throws {
        try await Self.run { place in
            let archived = try await place.json("apps", "archive", "browsey")["app"]
            #expect(archived["archived"].boolean == true)
            #expect(try await place.json("apps", "list")["apps"].items.isEmpty)
            let listed = try await place.json("apps", "list", "--archived")["apps"].items
            #expect(listed.map { $0["slug"].string } == ["browsey"])
            #expect(
                try await place.ota("apps", "show", "browsey").output.contains("Archived: lists")
            )
            try place.build("newer.ipa") { $0.version("1.5.0", build: "30") }
            let refused = try await place.refusal(
                "publish",
                "newer.ipa",
                "--trusted-ca",
                "anchor.pem",
            )
            #expect(refused["id"].string == "app.archived")
            #expect(refused["fix"].string == "bring it back with `ota apps unarchive browsey`")
            let back = try await place.ota("apps", "unarchive", "browsey")
            #expect(back.output == "Browsey is in use again, on the start page.\n")
            #expect(try await place.json("apps", "list")["apps"].items.count == 1)
            let none = try await place.ota("apps", "list", "--archived")
            #expect(none.output == "No app is archived.\n")
            let published = try await place.ota(
                "publish",
                "newer.ipa",
                "--trusted-ca",
                "anchor.pem",
            )
            #expect(published.status == 0, "\(published.errors)")
            let activity = try await place.ota("activity", "--limit", "10").output
            #expect(activity.contains("archived") && activity.contains("no longer archived"))
        }
    }

    @Test func `what the server does for an app by itself is set and shown`() async throws {
        try await Self.run { place in
            let before = try await place.json("apps", "show", "browsey")["app"]
            #expect(before["approval"].string == "manual")
            #expect(before["freshChannels"].string == "all")
            #expect(before["renewalDays"].number == 30)
            let changed = try await place.json(
                "apps",
                "set",
                "browsey",
                "--approve",
                "automatic",
                "--fresh-channels",
                "stable,beta",
                "--renew-before",
                "45",
            )["app"]
            #expect(changed["approval"].string == "automatic")
            #expect(changed["freshChannels"].string == "beta,stable")
            #expect(changed["renewalDays"].number == 45)
            let shown = try await place.ota("apps", "show", "browsey").output
            #expect(
                shown.contains(
                    "Devices that join by an invitation to it are approved automatically."
                )
            )
            let added = try await place.json([
                "apps", "add", "com.example.more", "--approve", "automatic", "--fresh-channels",
                "beta", "--renew-before", "20",
            ])["app"]
            #expect(added["approval"].string == "automatic")
            #expect(added["freshChannels"].string == "beta")
            #expect(added["renewalDays"].number == 20)
            for wrong in [["--renew-before", "0"], ["--fresh-channels", "No"]] {
                let answer = try await place.ota(["apps", "set", "browsey"] + wrong)
                #expect(answer.status == 64, "\(wrong)")
            }
        }
    }

    @Test func `the lowest version in use is set, shown and taken back`() async throws {
        try await Self.run { place in
            let set = try await place.json(
                "apps",
                "set",
                "browsey",
                "--minimum-version",
                "1.2.0-34",
            )
            #expect(set["app"]["minimumVersion"].string == "1.2.0-34")
            let shown = try await place.ota("apps", "show", "browsey").output
            #expect(shown.contains("Copies below 1.2.0-34 have to be updated."))
            let none = try await place.json("apps", "set", "browsey", "--minimum-version", "none")
            #expect(none["app"]["minimumVersion"].string == nil)
            let added = try await place.json(
                "apps",
                "add",
                "com.example.least",
                "--minimum-version",
                "2",
            )
            #expect(added["app"]["minimumVersion"].string == "2")
            for wrong in ["", "1.", "v1", "1.2-", "1.2-3-4", "-1"] {
                let answer = try await place.ota([
                    "apps", "set", "browsey", "--minimum-version=\(wrong)",
                ])
                #expect(answer.status == 64, "\(wrong)")
            }
        }
    }

    @Test func `a passphrase comes from a file or standard input and is kept nowhere`()
        async throws
    {
        try await Self.run { place in
            let refused = try await place.refusal(
                "apps",
                "set",
                "browsey",
                "--access",
                "passphrase",
            )
            #expect(refused["fix"].string?.isEmpty == false)
            try place.write(Self.words + "\n", to: "words")
            _ = try await place.json(
                "apps",
                "set",
                "browsey",
                "--access",
                "passphrase",
                "--passphrase-file",
                "words",
            )
            let file = "ota-store/apps/com.vforsh.browsey/app.json"
            let first = try place.bytes(file)
            #expect(!String(decoding: first, as: UTF8.self).contains("dark"))
            let again = try await place.ota(
                ["apps", "set", "browsey", "--passphrase-stdin"],
                input: Self.words,
            )
            #expect(again.status == 0, "\(again.errors)")
            #expect(!again.output.contains("dark"))
            let second = try place.bytes(file)
            #expect(second != first, "another generation")
            try place.write("short", to: "short")
            let short = try await place.refusal(
                "apps",
                "set",
                "browsey",
                "--passphrase-file",
                "short",
            )
            #expect(short["id"].string == "app.bad-passphrase")
        }
    }

    @Test func `an app is added before its first build, whose page has its settings`() async throws
    {
        try await Workplace.run { place in
            try place.write(Self.words, to: "words")
            let added = try await place.json(
                "apps",
                "add",
                "com.vforsh.browsey",
                "--title",
                "Our Browser",
                "--slug",
                "ours",
                "--access",
                "passphrase",
                "--passphrase-file",
                "words",
                "--unlisted",
            )["app"]
            #expect(added["channels"].keys.isEmpty && added["channels"] != .null)
            let shown = try await place.ota("apps", "show", "ours")
            #expect(shown.output.contains("No build yet."), "\(shown)")
            let listed = try await place.ota("apps", "list").output
            #expect(listed.contains("Our Browser") && listed.contains("–"))
            let again = try await place.refusal("apps", "add", "com.vforsh.browsey")
            #expect(again["id"].string == "app.exists")
            #expect(again["fix"].string?.contains("ota apps set ours") == true)
            try await place.serving { server in
                let page = server.url + "/apps/ours"
                try await place.shows(page, "assphrase")
                try place.build()
                _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
                _ = try await place.json("apps", "set", "ours", "--access", "open")
                try await place.shows(page, "itms-services")
                try await place.shows(page, "Our Browser")
                try await place.shows(server.url + "/", "Our Browser", isThere: false)
            }
            let second = try await place.ota("apps", "add", "com.example.second")
            #expect(second.output.contains("Added second (second), which has no build yet"))
        }
    }

    @Test(arguments: [
        ["apps", "set", "browsey"], ["apps", "set", "browsey", "--listed", "--unlisted"],
        ["apps", "set", "browsey", "--access", "everybody"],
        ["apps", "set", "browsey", "--slug", "No Slug"],
        ["apps", "add"], ["apps", "add", "no identifier"],
        ["apps", "add", "com.example.a", "--signing", "sometimes"],
        ["apps", "set", "browsey", "--passphrase-file", "x", "--passphrase-stdin"],
    ])
    func `what makes no sense is wrong usage`(_ arguments: [String]) async throws {
        try await Workplace.run { place in
            let outcome = try await place.ota(arguments)
            #expect(outcome.status == 64)
        }
    }

    @Test func `an app that is not there is named with those that are`() async throws {
        try await Self.run { place in
            let refusal = try await place.refusal("apps", "show", "nothing")
            #expect(refusal["id"].string == "app.unknown")
            #expect(refusal["fix"].string?.contains("browsey") == true)
        }
    }
}
