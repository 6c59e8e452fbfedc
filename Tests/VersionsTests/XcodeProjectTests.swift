import TestSupport
import Testing
import Versions

/// What an XcodeGen project (`project.yml`) and its files will build.
struct XcodeProjectTests {
    /// Two settings files, URLs with `$()` in them, and a target that takes everything from there.
    static let pare = [
        "project.yml": """
        name: Pare
        options:
          bundleIdPrefix: com.OptimusCashLLC
          deploymentTarget: {iOS: "16.0"}
        configFiles:
          Debug: Config/Debug.xcconfig
          Release: Config/Release.xcconfig
        targets:
          Pare:
            type: application
            platform: iOS
            sources: [Pare]
            settings:
              base:
                TARGETED_DEVICE_FAMILY: "1,2"
                GENERATE_INFOPLIST_FILE: YES
              configs:
                Debug:
                  PRODUCT_BUNDLE_IDENTIFIER: $(APP_IDENTIFIER).debug
                Release:
                  PRODUCT_BUNDLE_IDENTIFIER: $(APP_IDENTIFIER)
          PareTests:
            type: bundle.unit-test
            platform: iOS
        """,
        "Config/Debug.xcconfig": """
        #include "Release.xcconfig"
        API_ADDRESS = http:/$()/localhost:8080 // of a developer
        ALLOW_ARBITRARY_LOADS = YES
        """,
        "Config/Release.xcconfig": """
        // One place for the version.
        MARKETING_VERSION = 2.4.0
        CURRENT_PROJECT_VERSION = 87
        APP_IDENTIFIER = com.OptimusCashLLC.pare
        API_ADDRESS = https:/$()/api.pare.example
        ALLOW_ARBITRARY_LOADS = NO
        """,
    ]

    @Test func `Pare's identifier and version come from project.yml and two files of settings`()
        async throws
    {
        try await withSources(Self.pare) { tree in
            let project = try XcodeProject("project.yml", in: tree)
            #expect(project.configurations == ["Debug", "Release"])
            let release = try #require(try project.targets(named: nil, configuration: nil).first)
            #expect(release.name == "Pare")
            #expect(release.bundleIdentifier?.text == "com.OptimusCashLLC.pare")
            #expect(release.marketingVersion?.text == "2.4.0")
            #expect(release.marketingVersion?.origin == "Config/Release.xcconfig:2")
            #expect(release.buildNumber?.text == "87")
            let debug = try #require(
                try project.targets(named: "Pare", configuration: "Debug").first
            )
            #expect(debug.bundleIdentifier?.text == "com.OptimusCashLLC.pare.debug")
            #expect(debug.marketingVersion?.text == "2.4.0")
            let tests = try project.targets(named: "PareTests", configuration: "Release")
            #expect(tests.first?.bundleIdentifier?.text == "com.OptimusCashLLC.PareTests")
            #expect(throws: SettingsFlaw.unknownTarget("X", known: ["Pare", "PareTests"])) {
                try project.targets(named: "X", configuration: nil)
            }
            let flaw = SettingsFlaw.unknownConfiguration("Ad Hoc", known: ["Debug", "Release"])
            #expect(throws: flaw) { try project.targets(named: nil, configuration: "Ad Hoc") }
        }
    }

    @Test func `addresses keep their slashes`() async throws {
        try await withSources(Self.pare) { tree in
            for (configuration, address) in [
                ("Debug", "http://localhost:8080"), ("Release", "https://api.pare.example"),
            ] {
                let file = "Config/\(configuration).xcconfig"
                let settings = BuildSettings(
                    layers: [try ConfigFile.assignments(of: file, in: tree)],
                    context: SettingContext(configuration: configuration),
                )
                #expect(try settings.value(of: "API_ADDRESS")?.text == address)
            }
        }
    }

    @Test func `the same keys rank as Xcode ranks them`() async throws {
        let files = [
            "ios/project.yml": """
            name: App
            configs: {Debug: debug, Staging: release, Release: release}
            include:
              - path: base/base.yml
              - {path: absent.yml, enable: false}
            settings:
              MARKETING_VERSION: "1.0"
            settingGroups:
              shared:
                base: {CURRENT_PROJECT_VERSION: 5, MARKETING_VERSION: "1.1"}
                configs: {staging: {MARKETING_VERSION: "1.2"}}
            targetTemplates:
              App:
                type: application
                settings: {base: {PRODUCT_BUNDLE_IDENTIFIER: "com.example.${target_name}"}}
            targets:
              One:
                templates: [App]
                settings: {groups: [shared]}
              Two:
                templates: [App]
                configFiles: {Release: two.xcconfig}
              Three:
                templates: [App]
                configFiles: {Release: two.xcconfig}
                settings: {base: {MARKETING_VERSION: "$(inherited).1"}}
            """,
            "ios/two.xcconfig": "MARKETING_VERSION = 3.0",
            "ios/base/base.yml": """
            configFiles: {Release: Base.xcconfig}
            settings: {DEFAULT: 1}
            """,
            "ios/base/Base.xcconfig": "MARKETING_VERSION = 0.1\nCURRENT_PROJECT_VERSION = 9",
        ]
        try await withSources(files) { tree in
            let project = try XcodeProject("ios/project.yml", in: tree)
            func versions(_ target: String, _ configuration: String) throws -> [String?] {
                let target = try #require(
                    try project.targets(named: target, configuration: configuration).first
                )
                return [target.marketingVersion?.text, target.buildNumber?.text]
            }
            #expect(try versions("One", "Release") == ["1.1", "5"])
            #expect(try versions("One", "Staging") == ["1.2", "5"])
            #expect(try versions("Two", "Release") == ["3.0", "9"])
            #expect(try versions("Two", "Debug") == ["1.0", nil])
            #expect(try versions("Three", "Release") == ["3.0.1", "9"])
            let one = try project.targets(named: "One", configuration: nil).first
            #expect(one?.bundleIdentifier?.text == "com.example.One")
        }
    }

    @Test(arguments: [
        ("MARKETING_VERSION: 1.10", "1.1"), ("MARKETING_VERSION: \"1.10\"", "1.10"),
        ("MARKETING_VERSION: 1.2.3", "1.2.3"), ("MARKETING_VERSION: 2", "2"),
        ("<<: {MARKETING_VERSION: '7.0'}", "7.0"), ("MARKETING_VERSION: *v", "8.0*"),
    ])
    func `a number without quotation marks is what YAML makes of it`(
        line: String,
        expected: String,
    ) async throws {
        let text =
            "name: A\nx: &v '8.0*'\ntargets:\n  A:\n    type: application\n    settings:\n      \(line)\n"
        try await withSources(["project.yml": text]) { tree in
            let target = try XcodeProject("project.yml", in: tree).targets.first
            #expect(target?.marketingVersion?.text == expected)
        }
    }

    @Test(arguments: [
        ("info: {path: Info.plist}", "1.0", "1"),
        (
            "info: {path: Info.plist, properties: {CFBundleShortVersionString: $(MARKETING_VERSION)}}",
            "9.0", "1",
        ),
        (
            "info: {path: I.plist, properties: {CFBundleVersion: \"$(CURRENT_PROJECT_VERSION).1\"}}",
            "1.0", "7.1",
        ),
        ("sources: [A]", "9.0", "7"),
    ])
    func `an Info.plist that XcodeGen writes counts for more than the settings`(
        line: String,
        version: String,
        build: String,
    ) async throws {
        let text = """
            name: A
            settings: {MARKETING_VERSION: "9.0", CURRENT_PROJECT_VERSION: 7}
            targets:
              A:
                type: application
                \(line)
            """
        try await withSources(["project.yml": text]) { tree in
            let target = try XcodeProject("project.yml", in: tree).targets.first
            #expect(target?.marketingVersion?.text == version)
            #expect(target?.buildNumber?.text == build)
        }
    }

    @Test func `one file of settings is a project too`() async throws {
        try await withSources(Self.pare) { tree in
            let project = try XcodeProject("Config/Release.xcconfig", in: tree)
            let target = try #require(try project.targets(named: nil, configuration: nil).first)
            #expect(target.marketingVersion?.text == "2.4.0")
            #expect(target.name == "Release")
        }
    }

    @Test(arguments: [
        ("name: [", "project.not-yaml"), ("just text", "project.not-a-project"),
        ("include: ../outside.yml", "project.outside"), ("include: absent.yml", "project.missing"),
        ("include: project.yml", "project.circular"),
        ("targets: {A: {templates: [none]}}", "project.not-a-project"),
        (
            "targetTemplates: {T: {templates: [T]}}\ntargets: {A: {templates: [T]}}",
            "project.circular",
        ),
        ("configFiles: {Release: /etc/passwd}", "project.outside"),
        (
            "configFiles: {Release: link.xcconfig}\ntargets: {A: {type: application}}",
            "project.outside",
        ),
        ("? [a]\n: b", "project.not-yaml"), ("a: *b", "project.not-yaml"),
        (
            "settingGroups: {g: {groups: [g]}}\ntargets: {A: {settings: {groups: [g]}}}",
            "project.circular",
        ),
    ])
    func `what is no project says why`(text: String, id: String) async throws {
        await #expect {
            try await withSources(["project.yml": text]) { tree in
                _ = try XcodeProject("project.yml", in: tree)
            }
        } throws: { error in
            (error as? SettingsFlaw)?.id == id
        }
    }

    @Test(arguments: ["", "\n? *a40\n: x"])
    func `aliases that double forty times are refused at once`(end: String) async throws {
        let levels = (1...40).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]" }
        let text = "a0: &a0 [x]\n" + levels.joined(separator: "\n") + end
        await #expect {
            try await withSources(["project.yml": text]) { tree in
                _ = try XcodeProject("project.yml", in: tree)
            }
        } throws: { error in
            (error as? SettingsFlaw)?.description.contains("more than 50,000 values") == true
        }
    }
}
