import Foundation
import TestSupport
import Testing

/// `ota version`, as CI runs it in a real checkout.
@Suite(.timeLimit(.minutes(10)))
struct VersionCommandTests {
    private static let variables = [
        "TAG", "VERSION", "MARKETING_VERSION", "BUILD_NUMBER", "CHANNEL", "COMMIT", "NOTES",
    ]

    private func withCheckout(
        _ body: (Workplace, TestRepository) async throws -> Void
    ) async throws {
        try await Workplace.run { place in
            let repository = try await TestRepository(at: place.folder.appending(path: "app"))
            try await repository.commit("It's a \"start\" $(touch canary) `touch canary`")
            try await body(place, repository)
            #expect(!place.isThere("canary") && !place.isThere("app/canary"))
        }
    }

    @Test func `a tag, a commit without one and a manual run have the versions that CI expects`()
        async throws
    {
        try await withCheckout { place, repository in
            try await repository.git("tag", "v1.2.3")
            let tagged = try await place.json("version", "--repository", "app")
            #expect(tagged.keys.isSuperset(of: Self.variables))
            #expect(Self.variables.allSatisfy { tagged[$0].string != nil }, "all are strings")
            #expect(tagged["TAG"].string == "v1.2.3")
            #expect(tagged["VERSION"].string == "1.2.3")
            #expect(tagged["BUILD_NUMBER"].string == "1")
            #expect(tagged["CHANNEL"].string == "stable")
            let branch = try await place.json(
                "version",
                "--repository",
                "app",
                "--ref",
                "refs/heads/main",
            )
            #expect(branch["TAG"].string == "dev")
            let commit = try await repository.commit("Second")
            let dev = try await place.json("version", "--repository", "app", "--tag", "")
            #expect(dev["TAG"].string == "dev" && dev["VERSION"].string == "dev")
            #expect(dev["COMMIT"].string == commit)
            #expect(dev["NOTES"].string == "- Second")
            let manual = try await place.json(
                "version",
                "--repository",
                "app",
                "--tag",
                "v2.0.0-beta.1",
            )
            #expect(manual["VERSION"].string == "2.0.0-beta.1")
            #expect(manual["MARKETING_VERSION"].string == "2.0.0")
            #expect(manual["CHANNEL"].string == "beta")
            let pushed = try await place.json(
                "version",
                "--repository",
                "app",
                "--ref",
                "refs/tags/v1.2.3",
            )
            #expect(pushed["TAG"].string == "v1.2.3")
            #expect(pushed["remarks"].items.count == 1, "the tag is on another commit")
        }
    }

    @Test func `a shell takes the variables as they are`() async throws {
        try await withCheckout { place, repository in
            try await repository.git(
                "tag",
                "-a",
                "v1.0.0",
                "-m",
                "First\n\nWith 'quotes'; and $HOME\n",
            )
            let told = try await place.json("version", "--repository", "app")
            let script =
                "eval \"$('\(place.programPath)' version --repository app --shell)\"; "
                + "printf %s \"$VERSION|$NOTES\""
            let shell = try await Program(path: "/bin/sh").run(["-c", script], in: place.folder)
            #expect(shell.status == 0, "\(shell.errors)")
            #expect(shell.output == "1.0.0|\(told["NOTES"].string ?? "")")
            #expect(shell.output.contains("'quotes'; and $HOME"))
        }
    }

    @Test func `GitHub takes the variables from the file that it names`() async throws {
        try await withCheckout { place, repository in
            try await repository.commit("x\n\nBody")
            try await repository.commit("VERSION=9.9.9")
            try await repository.git("tag", "v1.0.0")
            try place.write("EARLIER=1\n", to: "output")
            let outcome = try await place.ota(
                "version",
                "--repository",
                "app",
                "--github-output",
                "output",
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            let values = try Self.githubVariables(
                String(decoding: place.bytes("output"), as: UTF8.self)
            )
            #expect(values["EARLIER"] == "1")
            #expect(values["VERSION"] == "1.0.0")
            #expect(values["NOTES"]?.hasPrefix("- VERSION=9.9.9\n- x\n") == true)
            let refused = try await place.refusal(
                "version",
                "--repository",
                "app",
                "--github-output",
            )
            #expect(refused["id"].string == "version.no-github-output")
        }
    }

    /// Reads the file as the runner of GitHub Actions does.
    private static func githubVariables(_ text: String) throws -> [String: String] {
        var values: [String: String] = [:]
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst(), !line.isEmpty {
            let equals = line.firstIndex(of: "=") ?? line.endIndex
            if let mark = line.firstRange(of: "<<"), mark.lowerBound < equals {
                let end = line[mark.upperBound...]
                let value = lines.prefix { $0 != end }
                lines = lines.dropFirst(value.count + 1)
                values[String(line[..<mark.lowerBound])] = value.joined(separator: "\n")
            } else {
                try #require(equals != line.endIndex)
                values[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
        }
        return values
    }

    @Test func `a shallow clone, an empty folder and a hostile tag are refused with the way out`()
        async throws
    {
        try await withCheckout { place, repository in
            try await repository.commit("Second")
            try await TestRepository.git(
                ["clone", "--quiet", "--depth=1", "file://\(repository.path)", "shallow"],
                in: place.folder,
            )
            let shallow = try await place.refusal("version", "--repository", "shallow")
            #expect(shallow["id"].string == "version.shallow")
            #expect(shallow["mend"].string?.contains("fetch-depth: 0") == true)
            let allowed = try await place.json(
                "version",
                "--repository",
                "shallow",
                "--allow-shallow",
            )
            #expect(allowed["BUILD_NUMBER"].string == "1")
            let empty = try await place.refusal("version", "--repository", "/nonexistent")
            #expect(empty["id"].string == "version.no-repository")
            for tag in ["$(touch canary)", "-x", "--upload-pack=touch canary", "a b"] {
                let refused = try await place.refusal(
                    "version",
                    "--repository",
                    "app",
                    "--tag=\(tag)",
                )
                #expect(refused["id"].string == "tag.refused", "\(tag)")
            }
            let prefix = try await place.refusal("version", "--repository", "app", "--prefix=;x")
            #expect(prefix["id"].string == "version.bad-prefix")
        }
    }

    @Test func `two apps in one repository are told apart by the prefix of their tags`()
        async throws
    {
        try await withCheckout { place, repository in
            try await repository.git("tag", "browsey/v1.4.0")
            try await repository.git("tag", "simbridge/v2.0.0-rc.1")
            let refused = try await place.refusal("version", "--repository", "app")
            #expect(refused["id"].string == "version.several-prefixes")
            let browsey = try await place.json(
                "version",
                "--repository",
                "app",
                "--prefix",
                "browsey/",
            )
            #expect(browsey["VERSION"].string == "1.4.0")
            let bridge = try await place.json(
                "version",
                "--repository",
                "app",
                "--tag",
                "simbridge/v2.0.0-rc.1",
            )
            #expect(bridge["CHANNEL"].string == "rc")
        }
    }

    @Test func `Pare is built as what its tag says, or not at all`() async throws {
        try await withCheckout { place, repository in
            try await repository.commit("Pare", Self.pare)
            try await repository.git("tag", "v2.4.0")
            let check = ["version", "--repository", "app", "--check-project", "app/project.yml"]
            let told = try await place.json(check)
            let target = try #require(told["project"].items.first)
            #expect(target["target"].string == "Pare")
            #expect(target["configuration"].string == "Release")
            #expect(target["bundleIdentifier"].string == "com.OptimusCashLLC.pare")
            #expect(target["MARKETING_VERSION"].string == "2.4.0")
            #expect(target["CURRENT_PROJECT_VERSION"].string == "87")
            #expect(target["isTagged"].boolean == true)
            #expect(target["hasBuildNumber"].boolean == false)
            let debug = try await place.json(check + ["--configuration", "Debug"])
            #expect(
                debug["project"].items.first?["bundleIdentifier"].string
                    == "com.OptimusCashLLC.pare.debug"
            )
            let forgotten = try await place.ota(check + ["--tag", "v2.5.0", "--json"])
            #expect(forgotten.status == 1)
            let error = try JSON(forgotten.errors)["error"]
            #expect(error["id"].string == "version.project-mismatch")
            #expect(error["place"].string == "Config/Release.xcconfig:2")

            // What the command writes goes into the build.
            let mended = try await place.json(
                check + ["--tag", "v2.5.0", "--xcconfig", "app/Config/Version.xcconfig"]
            )
            let row = try #require(mended["project"].items.first)
            #expect(row["MARKETING_VERSION"].string == "2.5.0")
            #expect(row["hasBuildNumber"].boolean == true)
            let written = String(
                decoding: try place.bytes("app/Config/Version.xcconfig"),
                as: UTF8.self,
            )
            #expect(written == "MARKETING_VERSION = 2.5.0\nCURRENT_PROJECT_VERSION = 2\n")
        }
    }

    private static let pare = [
        "project.yml": """
        name: Pare
        configFiles: {Debug: Config/Debug.xcconfig, Release: Config/Release.xcconfig}
        targets:
          Pare:
            type: application
            platform: iOS
            settings:
              configs:
                Debug: {PRODUCT_BUNDLE_IDENTIFIER: $(APP_IDENTIFIER).debug}
                Release: {PRODUCT_BUNDLE_IDENTIFIER: $(APP_IDENTIFIER)}
        """,
        "Config/Debug.xcconfig": """
        #include "Release.xcconfig"
        API_ADDRESS = http:/$()/localhost:8080
        """,
        "Config/Release.xcconfig": """
        // The version, unless a build has one of its own.
        MARKETING_VERSION = 2.4.0
        CURRENT_PROJECT_VERSION = 87
        APP_IDENTIFIER = com.OptimusCashLLC.pare
        API_ADDRESS = https:/$()/api.pare.example
        #include? "Version.xcconfig"
        """,
    ]

    @Test func `a file of settings keeps what is its own`() async throws {
        try await withCheckout { place, repository in
            try await repository.git("tag", "v1.2.0")
            try place.write(
                "// Ours\nCODE_SIGN_STYLE = Manual\nMARKETING_VERSION=0.1 // old\n",
                to: "App.xcconfig",
            )
            _ = try await place.json(
                "version",
                "--repository",
                "app",
                "--xcconfig",
                "App.xcconfig",
            )
            #expect(
                String(decoding: try place.bytes("App.xcconfig"), as: UTF8.self) == """
                    // Ours
                    CODE_SIGN_STYLE = Manual
                    MARKETING_VERSION = 1.2.0
                    CURRENT_PROJECT_VERSION = 1

                    """
            )
        }
    }

    @Test func `changed files are noted beside the result`() async throws {
        try await withCheckout { place, repository in
            try await repository.commit("A", ["a.txt": "a"])
            try repository.write("b", to: "a.txt")
            let told = try await place.json("version", "--repository", "app")
            #expect(told["remarks"].items.first?.string?.contains("a.txt") == true)
            let text = try await place.ota("version", "--repository", "app")
            #expect(text.errors.contains("note: files differ from the commit"))
            #expect(text.output.hasPrefix("dev on dev, build 2, from no tag\n"))
        }
    }
}
