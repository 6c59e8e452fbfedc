import Foundation
import TestSupport
import Testing

/// The subcommands of `ota runners`.
@Suite(.timeLimit(.minutes(10)))
struct RunnerCommandTests {
    @Test func `a runner has the labels and mirrors that it is given, until others replace them`()
        async throws
    {
        try await Workplace.run { place in
            try await Self.addMirrors(["app", "other"], place)
            let made = try await place.json(
                ["runners", "add", "mac-1", "--mirror", "app", "--label", "mac", "--label", "m2"]
            )
            let code = try #require(made["code"].string)
            #expect(code.hasPrefix("otc_") && code.count == 36)
            #expect(made["runner"]["labels"].items.map(\.string) == ["m2", "mac"])
            #expect(made["runner"]["mirrors"].items.map(\.string) == ["app"])
            #expect(made["runner"]["references"].string == "trusted")
            let list = try await place.ota("runners", "list", "--json")
            #expect(list.output.contains("mac-1") && !list.output.contains(code))

            let changed = try await place.json(
                ["runners", "set", "mac-1", "--mirror", "other", "--label", "xcode-26"]
            )
            #expect(changed["runner"]["labels"].items.map(\.string) == ["xcode-26"])
            #expect(changed["runner"]["mirrors"].items.map(\.string) == ["other"])
            let shown = try await place.json("runners", "show", "mac-1")
            #expect(shown["runner"]["mirrors"].items.map(\.string) == ["other"])
        }
    }

    @Test func `a runner builds trusted references unless --references says otherwise`()
        async throws
    {
        try await Workplace.run { place in
            try await Self.addMirrors(["app"], place)
            let words = ["runners", "add", "mac-1", "--mirror", "app", "--references", "untrusted"]
            #expect(try await place.json(words)["runner"]["references"].string == "untrusted")
            let changed = try await place.ota("runners", "set", "mac-1", "--references", "any")
            let sentence = "it builds any reference of app and has the labels mac"
            #expect(changed.output.contains(sentence))
            let shown = try await place.ota("runners", "show", "mac-1").output
            #expect(shown.contains("never connected") && shown.contains("seen     never"))
            #expect(shown.contains("builds   any reference"))
            let kept = try await place.json("runners", "set", "mac-1", "--label", "m2")
            #expect(kept["runner"]["references"].string == "any")
        }
    }

    @Test func `a new code replaces the former one, and a removed runner is gone`() async throws {
        try await Workplace.run { place in
            try await Self.addMirrors(["app"], place)
            let made = try await place.json(["runners", "add", "mac-1", "--mirror", "app"])
            #expect(made["runner"]["labels"].items.map(\.string) == ["mac"])
            let again = try await place.json("runners", "code", "mac-1")
            #expect(again["code"].string != made["code"].string)

            let paused = try await place.ota("runners", "pause", "mac-1").output
            #expect(paused.contains("ota runners resume mac-1"))
            let list = try await place.json("runners", "list")
            #expect(list["runners"].items.map { $0["paused"].boolean } == [true])
            #expect(try await place.ota("runners", "resume", "mac-1").status == 0)

            #expect(try await place.ota("runners", "remove", "mac-1").status == 0)
            let refused = try await place.refusal("runners", "show", "mac-1")
            #expect(refused["id"].string == "runner.unknown")
            let activity = try await place.ota("activity").output
            #expect(activity.contains("added the runner mac-1 for app"))
            #expect(activity.contains("removed the runner mac-1"))
        }
    }

    @Test(arguments: [
        (["mac-1"], "missing"), (["Mac 1", "--mirror", "app"], "runner.bad-name"),
        (["mac-1", "--mirror", "none"], "mirror.unknown"),
        (["mac-1", "--mirror", "app", "--label", "server"], "runner.bad-label"),
    ])
    func `what cannot be a runner is refused`(arguments: [String], problem: String) async throws {
        try await Workplace.run { place in
            try await Self.addMirrors(["app"], place)
            if problem == "missing" {
                let outcome = try await place.ota(["runners", "add"] + arguments)
                #expect(outcome.status != 0 && outcome.errors.contains("--mirror"))
            } else {
                let refused = try await place.ota(["runners", "add"] + arguments + ["--json"])
                #expect(refused.status == 1)
                #expect(try JSON(refused.errors)["error"]["id"].string == problem)
            }
        }
    }

    private static func addMirrors(_ names: [String], _ place: Workplace) async throws {
        let repository = try await TestRepository(at: place.folder.appending(path: "repository"))
        try await repository.commit("Begin", ["a": "b"])
        for name in names {
            _ = try await place.json([
                "mirror", "add", name, repository.path, "--allow-file", "--no-sync",
            ])
        }
    }
}
