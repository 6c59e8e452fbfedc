import Foundation
import Testing
import Versions

struct FormatTests {
    private func facts(notes: String) throws -> VersionFacts {
        VersionFacts(
            tag: try VersionTag(TagName("v1.2.0")),
            base: nil,
            commit: try #require(CommitIdentifier(String(repeating: "ab", count: 20))),
            count: 7,
            notes: notes,
        )
    }

    @Test func `GitHub's file has a line for each variable, and notes between delimiters`() throws {
        let text = try facts(notes: "- A\n- B").githubOutput(delimiter: "END")
        #expect(text.hasPrefix("TAG=v1.2.0\nVERSION=1.2.0\n"))
        #expect(text.hasSuffix("NOTES<<END\n- A\n- B\nEND\n"))
        #expect(try facts(notes: "").githubOutput(delimiter: "END").hasSuffix("\nNOTES=\n"))
        // In Swift, CR LF is a single character, which is not equal to a line feed.
        let windows = try facts(notes: "A\r\nTAG=evil").githubOutput(delimiter: "END")
        #expect(
            windows.utf8.elementsEqual(
                (windows.prefix { $0 != "<" } + "<<END\nA\r\nTAG=evil\nEND\n").utf8
            )
        )
    }

    @Test func `quotation marks do not end a value of a shell`() throws {
        let text = try facts(notes: "it's $(x)\n'").shellText
        #expect(text.hasSuffix("export NOTES='it'\\''s $(x)\n'\\'''\n"))
    }

    @Test(arguments: [
        "it's", "'", "''\"$(touch x)`touch x`\\", "it'\u{301}; echo ran #", "'\u{200D}; echo ran #",
        "a\n'\u{FE0F}; echo ran\n#", "\u{301}'\u{308}'; echo ran; '",
    ])
    func `a shell reads back what the notes say, and runs nothing of it`(notes: String) throws {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        let output = Pipe()
        shell.standardOutput = output
        shell.arguments = ["-c", try facts(notes: notes).shellText + "printf %s \"$NOTES\""]
        try shell.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        #expect(said == Data(notes.utf8), "\(String(decoding: said, as: UTF8.self))")
    }

    @Test(arguments: [
        ("", "A = 1\nB = 2\n"), ("A = 0\n", "A = 1\nB = 2\n"), ("B=\n\n", "B = 2\n\nA = 1\n"),
        ("  A   =0;\nA[sdk=x] = 5\nAB = 3", "  A = 1\nA[sdk=x] = 5\nAB = 3\nB = 2\n"),
        ("// A = 0", "// A = 0\nA = 1\nB = 2\n"),
        (
            "\u{FEFF}A = 0 // of tests\r\nC = 3\r\n",
            "\u{FEFF}A = 1 // of tests\r\nC = 3\r\nB = 2\r\n",
        ),
        ("A = 0 \\\n  5\nC = 3 \\\nB = 4", "A = 1\nC = 3 \\\nB = 4\nB = 2\n"),
        ("C = 3 \\", "C = 3 \\\n\nA = 1\nB = 2\n"),
        ("C = 3 \\\n", "C = 3 \\\n\nA = 1\nB = 2\n"), ("A = 0\nA = 9", "A = 1\nA = 1\nB = 2\n"),
    ])
    func `settings are exchanged where they stand`(old: String, new: String) {
        let text = ConfigFile.setting([("A", "1"), ("B", "2")], in: old)
        #expect(Array(text.utf8) == Array(new.utf8), "\(text)")
    }

    @Test(arguments: [
        ("1.2.0", "1.2.0", true), ("1.2.0", "1.2", true), ("1.2", "1.2.0", true),
        ("1.2.0", "1.2.1", false), ("1.3.0-beta.2", "1.3.0", true),
        ("1.3.0-beta.2", "1.3.0-beta.2", true), ("1.3.0-beta.2", "1.3.0-beta.1", false),
        ("1.3.0", "1.3.0-beta.2", false), ("1.2.0", "", false), ("1.2.0", "1.2.0.0", false),
        ("1.2.0+5", "1.2.0", true),
    ])
    func `an app states a version in fewer words`(
        version: String,
        stated: String,
        is same: Bool,
    ) throws {
        #expect(try Version(version).isStated(as: stated) == same)
    }
}
