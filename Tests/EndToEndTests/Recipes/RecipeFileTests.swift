import Foundation
import TestSupport
import Testing

/// The files of `docs/ci` themselves.
@Suite(.timeLimit(.minutes(10)))
struct RecipeFileTests {
    @Test(arguments: RecipeSystem.allCases)
    func `every recipe carries the same lines`(system: RecipeSystem) throws {
        let shared = try RecipeRoom.recipes.text("publish.sh").split(separator: "\n")
        let lines = try String(contentsOf: system.file, encoding: .utf8).split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        // Other scripts begin with the first of these lines too, so the second is searched for.
        let second = try #require(lines.firstIndex { $0 == shared[1] })
        let carried = lines[(second - 1)...].prefix(shared.count)
        #expect(Array(carried) == shared.map(String.init))
    }

    @Test(arguments: RecipeSystem.allCases)
    func `every recipe archives with both numbers of the tag`(system: RecipeSystem) throws {
        let path = system == .github ? "github/workflow.yml" : nil
        let file = path.map { RecipeRoom.recipes.appending(path: $0) } ?? system.file
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("sh .ota/version.sh"))
        let numbers =
            system == .fastlane
            ? ["MARKETING_VERSION=#{version", "CURRENT_PROJECT_VERSION=#{version"]
            : [
                "MARKETING_VERSION=\"$MARKETING_VERSION\"",
                "CURRENT_PROJECT_VERSION=\"$BUILD_NUMBER\"",
            ]
        for number in numbers { #expect(text.contains(number), "\(number)") }
    }

    /// Validates with the JSON schemas that GitHub and GitLab publish; `scripts/tools` installs the
    /// validator.
    @Test(arguments: [
        ("vendor.github-actions", "github/action.yml", [String]()),
        ("vendor.github-workflows", "github/workflow.yml", []),
        ("vendor.github-workflows", "github/pull-request.yml", []),
        (
            "vendor.gitlab-ci", "gitlab/publish.gitlab-ci.yml", ["--data-transform", "gitlab-ci"],
        ),
        (
            "vendor.gitlab-ci", "gitlab/merge-request.gitlab-ci.yml",
            ["--data-transform", "gitlab-ci"],
        ),
    ])
    func `a recipe is what its system takes`(
        schema: String,
        path: String,
        options: [String],
    ) async throws {
        let tools = URL(filePath: #filePath)
            .appending(path: "../../../../.build/tools/bin/check-jsonschema").standardizedFileURL
        try #require(
            FileManager.default.isExecutableFile(atPath: tools.path()),
            "scripts/tools installs it",
        )
        try await withTemporaryFolder { folder in
            let file = RecipeRoom.recipes.appending(path: path)
            let outcome = try await Program(path: tools.path())
                .run(["--builtin-schema", schema] + options + [file.path()], in: folder)
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            // The check can fail: it reports an unknown key in place of a required one.
            let text = try String(contentsOf: file, encoding: .utf8)
            let broken = folder.appending(path: "broken.yml")
            try Data(
                text.replacing("\n    steps:\n", with: "\n    stebs:\n")
                    .replacing("  using: composite", with: "  using: nothing")
                    .replacing("  script:", with: "  skript:").utf8
            ).write(to: broken)
            let refused = try await Program(path: tools.path())
                .run(["--builtin-schema", schema] + options + [broken.path()], in: folder)
            #expect(refused.status == 1, "\(refused.output)")
        }
    }

    @Test func `the page of the recipes leads to files and headings that are there`() throws {
        let pages = try FileManager.default
            .contentsOfDirectory(atPath: RecipeRoom.recipes.path())
            .filter { $0.hasSuffix(".md") }
        try #require(pages.contains("README.md"))
        for page in pages {
            let text = try RecipeRoom.recipes.text(page)
            for link in text.matches(of: /\]\(([^)#]*)(?:#([^)]*))?\)/) {
                let path = String(link.1)
                guard !path.contains("://") else { continue }
                let target =
                    path.isEmpty
                    ? RecipeRoom.recipes.appending(path: page)
                    : RecipeRoom.recipes.appending(path: path).standardizedFileURL
                let isThere = FileManager.default.fileExists(atPath: target.path())
                #expect(isThere, "\(page): \(path)")
                guard isThere, let heading = link.2 else { continue }
                let headings = try String(contentsOf: target, encoding: .utf8)
                    .split(separator: "\n").filter { $0.hasPrefix("#") }.map(Self.anchor)
                #expect(headings.contains(String(heading)), "\(page): \(path)#\(heading)")
            }
        }
    }

    /// The anchor of a heading in Markdown.
    private static func anchor(_ heading: Substring) -> String {
        heading.drop { $0 == "#" || $0 == " " }.lowercased()
            .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
            .replacing(" ", with: "-")
    }
}
