import TestSupport
import Testing

/// How `ota version` passes on its result: to a shell, to GitHub and to an Xcode project.
@Suite(.timeLimit(.minutes(10)))
struct VersionOutputTests {
    @Test func `a shell takes the variables as they are`() async throws {
        try await Workplace.withCheckout { place, repository in
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
        try await Workplace.withCheckout { place, repository in
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

    /// Parses the file as the runner of GitHub Actions does.
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

    @Test func `Pare is built as what its tag says, or not at all`() async throws {
        try await Workplace.withCheckout { place, repository in
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

            // The build uses the file that the command writes.
            let repaired = try await place.json(
                check + ["--tag", "v2.5.0", "--xcconfig", "app/Config/Version.xcconfig"]
            )
            let row = try #require(repaired["project"].items.first)
            #expect(row["MARKETING_VERSION"].string == "2.5.0")
            #expect(row["hasBuildNumber"].boolean == true)
            let written = String(
                decoding: try place.bytes("app/Config/Version.xcconfig"),
                as: UTF8.self,
            )
            #expect(written == "MARKETING_VERSION = 2.5.0\nCURRENT_PROJECT_VERSION = 2\n")
        }
    }

    @Test func `settings of project.yml that outrank every xcconfig are named by their lines`()
        async throws
    {
        try await Workplace.withCheckout { place, repository in
            try await repository.commit("Pare", Self.fixed)
            try await repository.git("tag", "v2.4.0")
            let check = ["version", "--repository", "app", "--check-project", "app/project.yml"]
            let refused = try await place.ota(
                check + ["--xcconfig", "app/Version.xcconfig", "--json"]
            )
            #expect(refused.status == 1)
            let fix = try #require(try JSON(refused.errors)["error"]["fix"].string)
            #expect(fix.contains("remove MARKETING_VERSION and CURRENT_PROJECT_VERSION"), "\(fix)")
            #expect(fix.contains("project.yml (lines 8, 9)"), "\(fix)")
            #expect(fix.contains("MARKETING_VERSION=2.4.0 CURRENT_PROJECT_VERSION="), "\(fix)")
            // Without those lines, the file that the command wrote takes effect.
            let lines = try #require(Self.fixed["project.yml"]).split(separator: "\n")
            try repository.write(
                lines.filter { !$0.contains("_VERSION:") }.joined(separator: "\n"),
                to: "project.yml",
            )
            let fixed = try await place.json(check)
            #expect(fixed["project"].items.first?["isTagged"].boolean == true)

            // A number in the Info.plist that XcodeGen writes cannot be overridden.
            try repository.write(
                lines.filter { !$0.contains("_VERSION:") }.joined(separator: "\n")
                    + "\n    info: {path: Info.plist, properties: {CFBundleVersion: 1}}\n",
                to: "project.yml",
            )
            let stated = try await place.ota(check + ["--json"])
            #expect(stated.status == 1)
            let advice = try #require(try JSON(stated.errors)["error"]["fix"].string)
            #expect(
                advice.contains("CFBundleShortVersionString: $(MARKETING_VERSION)"),
                "\(advice)",
            )
        }
    }

    private static let fixed = [
        "project.yml": """
        name: Pare
        configFiles: {Debug: Version.xcconfig, Release: Version.xcconfig}
        targets:
          Pare:
            type: application
            settings:
              base:
                MARKETING_VERSION: 1.0.0
                CURRENT_PROJECT_VERSION: 1
                PRODUCT_BUNDLE_IDENTIFIER: com.OptimusCashLLC.pare
        """,
        "Version.xcconfig": "MARKETING_VERSION = 1.0.0\n",
    ]

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
        try await Workplace.withCheckout { place, repository in
            try await repository.git("tag", "v1.2.0")
            try place.write(
                "// Ours\nCODE_SIGN_STYLE = Manual\nMARKETING_VERSION=0.1 // ours too\n",
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
                    MARKETING_VERSION = 1.2.0 // ours too
                    CURRENT_PROJECT_VERSION = 1

                    """
            )
        }
    }
}
