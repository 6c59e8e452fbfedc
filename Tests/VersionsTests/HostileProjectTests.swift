import Foundation
import TestSupport
import Testing
import Versions

/// Short projects that would require more work than any machine can do.
@Suite(.timeLimit(.minutes(10)))
struct HostileProjectTests {
    /// Levels of names, each of which expands to many of the next level.
    private static func levels(
        _ count: Int,
        _ line: (_ level: Int, _ names: String) -> String,
    ) -> String {
        (0..<count).map { level in
            line(level, Array(repeating: "n\(level + 1)", count: 60).joined(separator: ", "))
        }
        .joined(separator: "\n")
    }

    static let templates = """
        targetTemplates:
        \(levels(6) { "  n\($0): {templates: [\($1)]}" })
          n6: {type: application}
        targets: {A: {templates: [n0]}}
        """

    static let groups = """
        settingGroups:
        \(levels(6) { "  n\($0): {groups: [\($1)]}" })
          n6: {A: 1}
        targets: {A: {settings: {groups: [n0]}}}
        """

    static let attributes = """
        targetTemplates:
          T: {settings: {base: {\((0..<2000).map { "A\($0): '${long}${long}'" }
            .joined(separator: ", "))}}}
        targets: {A: {templates: [T], templateAttributes: {long: \(String(repeating: "x", count: 9000))}}}
        """

    static let rows = """
        configs: {\((0..<9000).map { "c\($0): debug" }.joined(separator: ", "))}
        targets: {\((0..<9000).map { "t\($0): {}" }.joined(separator: ", "))}
        """

    static let references = """
        targets:
          A:
            settings:
              base:
                B: \(String(repeating: "x", count: 16000))
                PRODUCT_BUNDLE_IDENTIFIER: \(String(repeating: "$($(B))", count: 2000))
        \((0..<50).map { "  T\($0): {settings: {base: {PRODUCT_BUNDLE_IDENTIFIER: '"
            + String(repeating: "$($(B))", count: 2000) + "', B: "
            + String(repeating: "y", count: 16000) + "}}}" }.joined(separator: "\n"))
        """

    /// Groups that lead to one with many variants, none of which is used.
    static let variants = """
        settingGroups:
        \(levels(3) { "  n\($0): {groups: [\($1)]}" })
          n3: {configs: {\((0..<5000).map { "v\($0): {A: 1}" }.joined(separator: ", "))}}
        targets: {A: {settings: {groups: [n0]}}}
        """

    /// Empty files, each for a configuration of its own.
    static let included = """
        configs: {\((0..<60).map { "c\($0): debug" }.joined(separator: ", "))}
        configFiles: {\((0..<60).map { "c\($0): \($0).xcconfig" }.joined(separator: ", "))}
        targets: {A: {}}
        """

    static let open = """
        targetTemplates: {T: {name: "\(String(repeating: "${", count: 200_000))"}}
        targets: {A: {templates: [T], name: x}}
        """

    @Test(arguments: [
        templates, groups, attributes, rows, references, open, variants, included,
    ])
    func `more work than a project needs is refused`(text: String) async throws {
        await #expect {
            let large = String(repeating: "// nothing\n", count: 80_000)
            let files = (0..<60).map { ("\($0).xcconfig", large) }
            let project = ["project.yml": text]
            let sources = project.merging(text == Self.included ? files : []) { own, _ in own }
            try await withSources(sources) { tree in
                _ = try XcodeProject("project.yml", in: tree)
            }
        } throws: { error in
            (error as? SettingsFlaw)?.id == "project.too-large"
        }
    }

    @Test func `one file of settings costs no more for all its configurations`() async throws {
        let text = (0..<9000).map { "A[config=c\($0)] = 1" }.joined(separator: "\n")
        await #expect {
            try await withSources(["a.xcconfig": text]) { tree in
                _ = try XcodeProject("a.xcconfig", in: tree)
            }
        } throws: { error in
            (error as? SettingsFlaw)?.id == "project.too-large"
        }
    }

    @Test func `a statement that goes on for ever is read once`() async throws {
        let text = String(repeating: "x\\\n", count: 250_000)
        try await withSources(["a.xcconfig": "MARKETING_VERSION = 1\nA = \(text)"]) { tree in
            let project = try XcodeProject("a.xcconfig", in: tree)
            #expect(project.targets.allSatisfy { $0.marketingVersion?.text == "1" })
        }
    }

    /// The cost of 500 targets with 200 settings each is well within the limits.
    @Test func `a large project is read`() async throws {
        let settings = (0..<200).map { "SETTING_NUMBER_\($0): a value of common length \($0)" }
        let text = """
            settingGroups: {all: {\(settings.joined(separator: ", "))}}
            settings: {MARKETING_VERSION: "1.2.0", PRODUCT_BUNDLE_IDENTIFIER: "org.example.$(TARGET_NAME:lower)"}
            targetTemplates: {App: {type: application, settings: {groups: [all]}}}
            targets:
            \((0..<500).map { "  App\($0): {templates: [App]}" }.joined(separator: "\n"))
            """
        try await withSources(["project.yml": text]) { tree in
            let project = try XcodeProject("project.yml", in: tree)
            #expect(project.targets.count == 1000)
            #expect(project.targets[0].bundleIdentifier?.text == "org.example.app0")
        }
    }

    @Test func `what a template puts in is not looked at again`() async throws {
        let text = """
            targetTemplates:
              T: {settings: {PRODUCT_BUNDLE_IDENTIFIER: "${a}.${b}.${none}.${target_name}"}}
            targets:
              App: {templates: [T], templateAttributes: {a: "${b}", b: "${a}"}}
            """
        try await withSources(["project.yml": text]) { tree in
            let target = try #require(try XcodeProject("project.yml", in: tree).targets.first)
            let identifier = try #require(target.bundleIdentifier)
            // References in braces then mean settings, which no file defines.
            #expect(identifier.text == "...App")
            #expect(identifier.undefined == ["a", "b", "none"])
        }
    }
}
