import TestSupport
import Testing

/// The program's help, and its errors for wrong command lines.
@Suite(.timeLimit(.minutes(10)))
struct UsageTests {
    @Test func `the version is one line`() async throws {
        try await Workplace.run { place in
            let version = try await place.ota("--version")
            #expect(version.status == 0)
            #expect(version.output.split(separator: "\n").count == 1)
            #expect(version.output.contains("."))
        }
    }

    @Test(arguments: [
        ["publish"], ["nonsense"], ["publish", "--channel"], ["devices", "add", "short"],
        ["serve", "--port", "70000"], ["serve", "--certificate", "only.pem"],
        ["publish", "a.ipa", "--export", "site"], ["releases", "prune", "x", "--keep", "-1"],
        ["validate", "a.ipa", "--at", "tomorrow"], ["profiles", "check", "--within", "soon"],
        ["publish", "a.ipa", "--base-url", "http://plain.example"],
        ["validate", "a.ipa", "--model", "iPhone 15 Pro"],
        ["validate", "a.ipa", "--all-devices", "--os", "18.1"],
    ])
    func `wrong usage exits 64 and says how it goes`(arguments: [String]) async throws {
        try await Workplace.run { place in
            let outcome = try await place.ota(arguments)
            #expect(outcome.status == 64, "\(outcome)")
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("rror"))
            let forScripts = try await place.ota(arguments + ["--json"])
            #expect(forScripts.status == 64 && forScripts.output.isEmpty, "\(forScripts)")
            let error = try JSON(forScripts.errors)["error"]
            #expect(error.keys == ["id", "message", "place", "fix"])
            #expect(error["id"].string == "usage.invalid")
            #expect(error["message"].string?.isEmpty == false)
            #expect(error["fix"].string?.contains("see `ota ") == true)
        }
    }

    @Test func `help and no command explain`() async throws {
        try await Workplace.run { place in
            let help = try await place.ota("publish", "--help")
            #expect(help.status == 0)
            #expect(help.output.contains("ota publish build.ipa"))
            let groups = try await place.ota("--help").output.split(separator: "\n").filter {
                $0.hasSuffix(" SUBCOMMANDS:")
            }
            #expect(
                groups == [
                    "BUILDS SUBCOMMANDS:", "TEAM SUBCOMMANDS:", "SERVER SUBCOMMANDS:",
                    "SHELL SUBCOMMANDS:",
                ]
            )
        }
    }

    @Test func `a store that is not there is named`() async throws {
        try await Workplace.run { place in
            let refused = try await place.refusal("releases", "list", "--store", "nowhere")
            #expect(refused["id"].string == "store.no-document")
            #expect(refused["fix"].string?.isEmpty == false)
            #expect(!place.isThere("nowhere"))
        }
    }
}
