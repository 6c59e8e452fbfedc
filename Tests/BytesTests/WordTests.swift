import Foundation
import TestSupport
import Testing

/// `scripts/words`, which keeps private jargon out of the texts that people read.
@Suite struct WordTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..")
        .standardizedFileURL

    private static func check(_ files: [String], in folder: URL) async throws -> Program.Outcome {
        try await Program(path: root.appending(path: "scripts/words").path()).run(
            files,
            in: folder,
        )
    }

    @Test(arguments: [
        ("a.md", "# A\n\nNobody can install it.\n", 3, "no one"),
        ("a.md", "It\nwill go\non tomorrow.\n", 2, "continue"),
        ("a.swift", "let a = 1\nlet b = \"mend what blocks\"\n", 2, "fix"),
        ("a.swift", "let b = \"\"\"\n    A\n    whoever has it\n    \"\"\"\n", 3, "anyone who"),
        ("a.json", "{\n\"key\": \"It is made anew.\"\n}\n", 2, "again"),
        ("a.py", "# nobody\nprint('it was told')\n", 2, "is notified"),
        ("a.mustache", "<p>Somebody of the team</p>\n", 1, "someone"),
    ])
    func `a planted word is refused with its line and a better one`(
        name: String,
        text: String,
        line: Int,
        better: String,
    ) async throws {
        try await withTemporaryFolder { folder in
            try Data(text.utf8).write(to: folder.appending(path: name))
            let outcome = try await Self.check([name], in: folder)
            #expect(outcome.status == 1, "\(outcome)")
            #expect(outcome.output.hasPrefix("\(name):\(line): "), "\(outcome.output)")
            #expect(outcome.output.contains(better))
        }
    }

    @Test(arguments: [
        ("a.swift", "// Nobody reads this.\nlet nobody = \"a\"\n"),
        ("a.md", "```sh\necho nobody\n```\n"), ("a.py", "def mend():\n    pass\n"),
        ("a.json", "{\"nobody\": \"No one.\"}\n"),
    ])
    func `comments, names and code blocks are not read by people`(
        name: String,
        text: String,
    ) async throws {
        try await withTemporaryFolder { folder in
            try Data(text.utf8).write(to: folder.appending(path: name))
            let outcome = try await Self.check([name], in: folder)
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    @Test func `the repository has none of them`() async throws {
        let outcome = try await Self.check([], in: Self.root)
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}
