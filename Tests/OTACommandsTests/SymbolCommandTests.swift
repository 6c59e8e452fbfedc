import Bytes
import Foundation
import Identifiers
import Releases
import Sample
import Symbols
import TestSupport
import Testing

/// `ota symbols`, `ota symbolicate` and `ota publish --symbols`.
@Suite(.timeLimit(.minutes(10)))
struct SymbolCommandTests {
    /// Writes a build, and an Xcode archive with the dSYM of its program and one of another app.
    private static func fill(_ place: Workplace) throws -> ImageUUID {
        let file = try place.build { $0.version("1.2.0", build: "34") }
        let programs = try ProgramSearch.programs(of: FileSource(path: file.path()))
        let program = try #require(programs.first { !$0.path.contains("/") })
        let uuid = program.images[0].uuid
        let folder = place.folder.appending(path: "App.xcarchive/dSYMs")
        try SampleSymbols.write(to: folder, uuid: uuid.bytes)
        try SampleSymbols.write(to: folder, named: "Stranger.dSYM")
        try place.write(SampleSymbols.report(uuid: "\(uuid)"), to: "crash.ips")
        return uuid
    }

    /// The error of a command that must be refused.
    private static func refusal(_ place: Workplace, _ words: [String]) async throws -> JSON {
        let outcome = try await place.ota(words + ["--json"])
        #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
        return try JSON(outcome.errors)["error"]
    }

    // Options: publish: symbols
    // Options: symbols get: output
    @Test func `dSYMs go along with a build, and are listed, saved, removed and added again`()
        async throws
    {
        try await Workplace.run { place in
            let uuid = try Self.fill(place)
            let publish = ["publish", "build.ipa", "--trusted-ca", "anchor.pem", "--symbols"]
            let wrong = try await Self.refusal(
                place,
                publish + ["App.xcarchive/dSYMs/Stranger.dSYM"],
            )
            #expect(wrong["id"].string == "symbols.unmatched")
            #expect(!place.isThere("ota-store/apps"), "nothing was published")
            let published = try await place.ota(publish + ["App.xcarchive"])
            #expect(published.status == 0, "\(published)")
            #expect(published.errors.contains("1.2.0-34 has 1 dSYM."))
            #expect(published.errors.contains("Skipped, because they match no binary of the build"))
            let symbols = ["symbols", "list", "browsey", "1.2.0"]
            let listed = try await place.json(symbols)
            #expect(listed["symbols"].items.map(\.["name"].string) == ["Shop.app.dSYM"])
            #expect(try await place.ota(symbols).output.contains("\(uuid) arm64"))
            let repeated = try await place.json(publish + ["App.xcarchive"])["symbols"]
            #expect(repeated["kept"].items.map(\.string) == ["Shop.app.dSYM"])
            #expect(repeated["unmatched"].items.map(\.string) == ["Stranger.dSYM"])
            let nowhere = ["symbols", "get", "browsey", "1.2.0", "\(uuid)", "--output", "no/o.zip"]
            #expect(
                try await Self.refusal(place, nowhere)["id"].string == "output.unwritable"
                    && !place.isThere("no")
            )
            let get = ["symbols", "get", "browsey", "1.2.0", "\(uuid)", "--output", "out.zip"]
            let saved = try await place.json(get)
            #expect(saved["size"].number == (try place.bytes("out.zip")).count)
            let removed = try await place.json(["symbols", "remove", "browsey", "1.2.0", "\(uuid)"])
            #expect(removed["symbols"].items.isEmpty)
            #expect(removed["programs"].items.first?["hasSymbols"].boolean == false)
            let binaries = try await place.ota(symbols).output
            #expect(binaries.contains("no dSYM") && binaries.contains("\(uuid) arm64"))
            let none = try await Self.refusal(place, get)
            #expect(none["id"].string == "symbols.unknown")
            let added = try await place.json(["symbols", "add", "browsey", "1.2.0", "out.zip"])
            #expect(added["added"].items.map(\.string) == ["Shop.app.dSYM"])
            #expect(
                try await Self.refusal(
                    place,
                    ["symbols", "add", "browsey", "1.2.0", "crash.ips"],
                )["id"]
                .string == "symbols.not-symbols"
            )
        }
    }

    // Options: symbolicate: dsym
    @Test func `a crash report gets its lines from a dSYM, and from those of the store`()
        async throws
    {
        try await Workplace.run { place in
            _ = try Self.fill(place)
            let alone = try await place.ota("symbolicate", "crash.ips", "--dsym", "App.xcarchive")
            #expect(alone.status == 0 && !place.isThere("ota-store"), "\(alone)")
            #expect(alone.output.contains("Basket.total (Basket.swift:11)"))
            _ = try await place.json(
                [
                    "publish", "build.ipa", "--trusted-ca", "anchor.pem", "--symbols",
                    "App.xcarchive",
                ]
            )
            let stored = try await place.json("symbolicate", "crash.ips")
            #expect(stored["frames"].number == 3 && stored["named"].number == 3)
            let top = stored["threads"].items.first?["frames"].items.first?["names"].items
            #expect(top?.map(\.["line"].number) == [4, 9])
            #expect(top?.first?["inlined"].boolean == true)
            let report = try String(contentsOfFile: place.path("crash.ips"), encoding: .utf8)
            let piped = try await place.ota("symbolicate", "-", input: report)
            #expect(piped.output == alone.output)
            try place.write("{}", to: "no.ips")
            let refused = try await Self.refusal(place, ["symbolicate", "no.ips"])
            #expect(refused["id"].string == "crash.unknown-form")
        }
    }

    // Options: symbolicate: cache
    @Test func `dSYMs go to a server and come from it, and stay in a folder of this user`()
        async throws
    {
        try await Workplace.run { place in
            try await place.serving(with: ["--trusted-ca", "anchor.pem"]) { server in
                let uuid = try Self.fill(place)
                let published = try await place.ota(
                    [
                        "publish", "build.ipa", "--trusted-ca", "anchor.pem", "--symbols",
                        "App.xcarchive",
                    ]
                        + server.options
                )
                #expect(published.status == 0, "\(published)")
                #expect(published.errors.contains("1.2.0-34 has 1 dSYM."))
                let uploads = ["uploads", "list"]
                #expect(
                    try await place.json(uploads + server.options)["uploads"].items.isEmpty
                )
                #expect(try await Self.refusal(place, uploads)["id"].string == "server.none")
                let unknown = ["uploads", "cancel", "4f1d0c9a83b2e6754f1d0c9a83b2e675"]
                #expect(
                    try await Self.refusal(place, unknown + server.options)["id"].string
                        == "upload.unknown"
                )
                let read = ["symbolicate", "crash.ips", "--cache", "cache/in"] + server.options
                let first = try await place.ota(read)
                #expect(first.output.contains("Basket.total (Basket.swift:11)"), "\(first)")
                let cache = place.folder.appending(path: "cache/in")
                let files = try FileManager.default.contentsOfDirectory(atPath: cache.path())
                let file = try #require(files.first)
                let mode = { (path: String) in
                    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
                        as? Int
                }
                #expect(files.count == 1)
                #expect(try mode(cache.path()) == 0o700)
                #expect(try mode(cache.appending(path: file).path()) == 0o600)
                // A damaged file in the cache is fetched again.
                try Data("x".utf8).write(to: cache.appending(path: file))
                #expect(try await place.ota(read).output == first.output)
                let again = try await place.json(
                    ["symbols", "add", "browsey", "1.2.0", "App.xcarchive"] + server.options
                )
                #expect(again["added"].items.isEmpty)
                #expect(again["unmatched"].items.map(\.string) == ["Stranger.dSYM"])
                let get = ["symbols", "get", "browsey", "1.2.0", "\(uuid)", "--output", "o.zip"]
                _ = try await place.json(get + server.options)
                #expect(place.isThere("o.zip"))
            }
        }
    }
}
