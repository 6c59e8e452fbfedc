import Foundation
import Sample
import TestSupport
import Testing

/// `ota channels`, and links to channels that end.
@Suite(.timeLimit(.minutes(10)))
struct ChannelCommandTests {
    private static let base = "https://ota.example.com"

    /// Runs a test with 1.0-1 on stable, and further builds 2 and 3 that are not published.
    private static func run(_ body: (Workplace) async throws -> Void) async throws {
        try await Workplace.run { place in
            for number in 1...3 {
                try place.build("\(number).ipa") { $0.version("1.0", build: "\(number)") }
            }
            _ = try await place.json(
                ["publish", "1.ipa", "--trusted-ca", "anchor.pem", "--base-url", base]
            )
            try await body(place)
        }
    }

    /// The seconds from now until a date in a document.
    private static func seconds(until date: JSON) throws -> TimeInterval {
        try Date(#require(date.string), strategy: .iso8601).timeIntervalSinceNow
    }

    // Options: publish: expires
    @Test func `a publish says when its channel ends, and a later one moves the end`() async throws
    {
        try await Self.run { place in
            let pull = ["--channel", "pr-12", "--expires"]
            let first = try await place.json(["publish", "2.ipa"] + pull + ["14d"])
            let days = try Self.seconds(until: first["channelEnds"]) / 86_400
            #expect(days > 13.9 && days <= 14)
            #expect(first["url"].string == Self.base + "/apps/browsey?channel=pr-12")
            let kept = try await place.json(["publish", "3.ipa", "--channel", "pr-12"])
            #expect(kept["channelEnds"] == first["channelEnds"], "it stays where none is given")
            let moved = try await place.ota(["publish", "3.ipa"] + pull + ["2h"])
            #expect(moved.status == 0 && moved.output.contains("The channel pr-12 ends on "))
            let listed = try await place.json("channels", "list", "browsey")
            let channels = listed["channels"].items
            #expect(channels.map(\.["channel"].string) == ["pr-12", "stable"])
            #expect(channels.map(\.["release"].string) == ["1.0-3", "1.0-1"])
            #expect(channels.map(\.["isDefault"].boolean) == [false, true])
            let left = try Self.seconds(until: #require(channels.first)["ends"])
            #expect(left > 6000 && left <= 7200)
            #expect(channels.last?["ends"] == .null)
            let table = try await place.ota("channels", "list", "browsey").output
            #expect(table.contains("never") && table.contains(Self.base + "/apps/browsey\n"))
        }
    }

    // Options: releases promote: expires
    @Test func `a promotion says when its channel ends`() async throws {
        try await Self.run { place in
            let words = ["releases", "promote", "browsey", "1.0-1", "--channel", "demo"]
            let lasting = try await place.json(words)
            #expect(lasting["channelEnds"] == .null)
            let ended = try await place.ota(words + ["--expires", "2h"])
            #expect(ended.status == 0 && ended.output.contains("The channel demo ends on "))
            let left = try Self.seconds(until: try await place.json(words)["channelEnds"])
            #expect(left > 6000 && left <= 7200, "it stays where none is given")
            let stable = ["releases", "promote", "browsey", "1.0-1", "--expires", "2h"]
            #expect(try await place.ota(stable).status == 64)
        }
    }

    @Test func `the channel that the app's page shows gets no end`() async throws {
        try await Self.run { place in
            for words in [["--expires", "14d"], ["--channel", "stable", "--expires", "14d"]] {
                let refused = try await place.ota(["publish", "2.ipa"] + words)
                #expect(refused.status == 64, "\(refused)")
            }
            for life in ["0d", "366d", "14", "soon"] {
                let words = ["publish", "2.ipa", "--channel", "pr-12", "--expires", life]
                #expect(try await place.ota(words).status == 64, "\(life)")
            }
            let lasting = try await place.refusal("channels", "end", "browsey", "stable")
            #expect(lasting["id"].string == "channel.lasting")
            #expect(lasting["fix"].string?.isEmpty == false)
            let channels = try await place.json("channels", "list", "browsey")["channels"].items
            #expect(channels.map(\.["channel"].string) == ["stable"])
        }
    }

    // Options: channels list: all
    @Test func `a channel ends once, and --all lists it afterwards`() async throws {
        try await Self.run { place in
            for number in 2...3 {
                let words = ["--channel", "pr-12", "--expires", "14d"]
                _ = try await place.json(["publish", "\(number).ipa"] + words)
            }
            let ended = try await place.json("channels", "end", "browsey", "pr-12")
            #expect(ended["changed"].boolean == true)
            #expect(Set(ended["withdrawn"].items.map(\.string)) == ["1.0-2", "1.0-3"])
            let again = try await place.json("channels", "end", "com.vforsh.browsey", "pr-12")
            #expect(again["changed"].boolean == false && again["ended"] == ended["ended"])
            let never = try await place.ota("channels", "end", "browsey", "pr-77")
            #expect(never.status == 0 && never.output.contains("There is no channel"))

            let shown = try await place.json("releases", "show", "browsey", "1.0-3")
            #expect(shown["release"]["state"].string == "withdrawn")
            let few = try await place.json("channels", "list", "browsey")
            #expect(few["ended"].items.isEmpty)
            #expect(few["channels"].items.map(\.["channel"].string) == ["stable"])
            let all = try await place.json("channels", "list", "browsey", "--all")
            #expect(all["channels"] == few["channels"])
            #expect(all["ended"].items.map(\.["channel"].string) == ["pr-12"])
            #expect(all["ended"].items.map(\.["by"].string) == ["tests"])
            let table = try await place.ota("channels", "list", "browsey", "--all").output
            #expect(table.contains("pr-12") && table.contains("by tests"), "\(table)")

            let short = try await place.ota("channels", "list", "browsey").output
            #expect(short.contains("1 channel has ended; use --all"), "\(short)")

            // The pull request is reopened.
            let lasting = try await place.refusal("publish", "3.ipa", "--channel", "pr-12")
            #expect(lasting["id"].string == "channel.closed")
            #expect(lasting["fix"].string?.contains("--expires") == true)
            let words = ["publish", "3.ipa", "--channel", "pr-12", "--expires", "1d"]
            #expect(try await place.json(words)["created"].boolean == false)
            let back = try await place.json("releases", "show", "browsey", "1.0-3")
            #expect(back["release"]["state"].string == "available")
            let open = try await place.json("channels", "list", "browsey", "--all")
            #expect(open["ended"].items.isEmpty && open["channels"].items.count == 2)
        }
    }

    // Options: releases link: channel format
    @Test func `a link is a comment, an address or a document`() async throws {
        try await Self.run { place in
            let words = ["--channel", "pr-12", "--expires", "14d", "--tag", "v1.0"]
            _ = try await place.json(["publish", "2.ipa"] + words)
            let page = Self.base + "/apps/browsey"
            func link(_ words: String...) async throws -> String {
                let outcome = try await place.ota(["releases", "link", "browsey"] + words)
                #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
                return outcome.output
            }
            let comment = try await link("--channel", "pr-12")
            #expect(
                comment.hasPrefix("<!-- ota com.vforsh.browsey pr-12 -->\n\n### Browsey 1.0 (2)")
            )
            #expect(comment.contains("](<\(page)?channel=pr-12>)"))
            #expect(comment.contains("<img src=\"\(page)/qr.svg?channel=pr-12\""))
            #expect(comment.contains("| Link ends |"))
            #expect(try await link("--channel", "pr-12", "--format", "markdown") == comment)
            let other = try await link()
            #expect(other.hasPrefix("<!-- ota com.vforsh.browsey stable -->"))
            #expect(other.contains("(<\(page)>)") && !other.contains("| Link ends |"))
            #expect(
                try await link("--channel", "pr-12", "--format", "url")
                    == page + "?channel=pr-12\n"
            )
            #expect(try await link("1.0-2", "--format", "url") == page + "/1.0-2\n")
            let document = try JSON(await link("--channel", "pr-12", "--format", "json"))
            #expect(document["url"].string == page + "?channel=pr-12")
            #expect(document["qrURL"].string == page + "/qr.svg?channel=pr-12")
            #expect(document["release"].string == "1.0-2" && document["isOpen"].boolean == true)
            let both = ["releases", "link", "browsey", "1.0-2", "--channel", "pr-12"]
            #expect(try await place.ota(both).status == 64)

            // A code host that fetches the images in comments gets none of a closed app.
            _ = try await place.json("apps", "set", "browsey", "--access", "enrolled")
            let closed = try await link("--channel", "pr-12")
            #expect(closed.contains("Open the install page") && !closed.contains("<img"))

            _ = try await place.json("channels", "end", "browsey", "pr-12")
            let gone = try await place.refusal("releases", "link", "browsey", "--channel", "pr-12")
            #expect(gone["id"].string == "channel.ended")
            let release = try await place.refusal("releases", "link", "browsey", "1.0-2")
            #expect(release["id"].string == "release.withdrawn")
            let none = try await place.refusal("releases", "link", "browsey", "--channel", "pr-77")
            #expect(none["fix"].string?.isEmpty == false)
        }
    }

    @Test func `a token that publishes an app ends its channels, and no other's`() async throws {
        try await Self.run { place in
            try await place.serving(with: ["--trusted-ca", "anchor.pem"]) { server in
                func options(_ scope: String) async throws -> [String] {
                    let name = scope.replacing(/[^a-z]/, with: "-")
                    _ = try await place.json(
                        ["tokens", "create", "--name", name, "--scope", scope, "--file", name]
                    )
                    return ["--server", server.url, "--token-file", name, "--ca-file", "ca.pem"]
                }
                let own = try await options("publish:com.vforsh.browsey")
                let others = [
                    try await options("publish:com.example.other"),
                    try await options("read:com.vforsh.browsey"),
                ]
                let words = [
                    "publish", "2.ipa", "--trusted-ca", "anchor.pem", "--channel", "pr-12",
                    "--expires",
                    "14d",
                ]
                let published = try await place.json(words + own)
                #expect(try Self.seconds(until: published["channelEnds"]) > 86_400)
                let comment = ["releases", "link", "browsey", "--channel", "pr-12"]
                let told = try await place.ota(comment + own)
                let here = try await place.ota(comment)
                #expect(told.status == 0 && told.output == here.output)
                let end = ["channels", "end", "com.vforsh.browsey", "pr-12"]
                for other in others {
                    let refused = try await place.ota(end + other)
                    #expect(refused.status == 1, "\(refused)")
                }
                #expect(try await place.json(end + own)["changed"].boolean == true)
                #expect(try await place.json(end + own)["changed"].boolean == false)
                let list = try await place.json(["channels", "list", "browsey", "--all"] + own)
                #expect(list["ended"].items.map(\.["channel"].string) == ["pr-12"])
            }
        }
    }
}
