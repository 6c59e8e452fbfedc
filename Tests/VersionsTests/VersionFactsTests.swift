import Testing
import Versions

struct VersionFactsTests {
    private let hex = String(repeating: "0a", count: 20)

    private func facts(_ tag: String?, base: String? = nil) throws -> VersionFacts {
        VersionFacts(
            tag: try tag.map { try VersionTag(TagName($0)) },
            base: try base.map { try Version($0) },
            commit: try #require(CommitIdentifier(hex)),
            count: 42,
            notes: "- One",
        )
    }

    @Test(arguments: [
        ("v1.2.3", "1.2.3", "1.2.3", "stable"),
        ("v1.3.0-beta.4", "1.3.0-beta.4", "1.3.0", "beta"),
        ("browsey/v1.2", "1.2", "1.2.0", "stable"),
    ])
    func `a tag gives its version`(
        tag: String,
        version: String,
        marketing: String,
        channel: String,
    ) throws {
        #expect(
            try facts(tag, base: "9.9.9").environment == [
                "TAG": tag, "VERSION": version, "MARKETING_VERSION": marketing,
                "BUILD_NUMBER": "42", "CHANNEL": channel, "COMMIT": hex, "NOTES": "- One",
            ]
        )
    }

    @Test func `without a tag everything is dev, with the numbers of the version before`() throws {
        let facts = try facts(nil, base: "1.2.0-beta.1")
        #expect(facts.isDevelopment)
        #expect([facts.tag, facts.version, facts.channel] == ["dev", "dev", "dev"])
        #expect(facts.marketingVersion == "1.2.0")
        #expect(try self.facts(nil).marketingVersion == "0.0.0")
    }

    @Test(arguments: ["", "HEAD", "0a0a", "--output=F", String(repeating: "0A", count: 20)])
    func `only a full hexadecimal name is a commit`(text: String) {
        #expect(CommitIdentifier(text) == nil)
    }

    @Test func `notes are the tag's message and the subjects of commits`() throws {
        let tag = try VersionTag(TagName("v1.2.0"))
        let notes = VersionNotes(message: "Faster\n\nMuch.\n", subjects: ["B", "A"], count: 2)
        #expect(notes.markdown(for: tag) == "Faster\n\nMuch.\n\n- B\n- A")
        let windows = VersionNotes(message: "Faster\r\n\r\nMuch.\r\n", subjects: [], count: 0)
        #expect(windows.markdown(for: tag) == "Faster\n\nMuch.")
        let repeated = VersionNotes(message: "Release 1.2.0\n", subjects: ["A"], count: 1)
        #expect(repeated.markdown(for: tag) == "- A")
        #expect(VersionNotes(subjects: [], count: 0).markdown(for: tag).isEmpty)
    }

    @Test func `notes are bounded and steer no terminal`() {
        let subjects = (0..<500).map {
            "\u{1B}[31m\($0)\r\u{202E}" + String(repeating: "x", count: 9000)
        }
        let notes = VersionNotes(subjects: subjects, count: 700).markdown(for: nil)
        #expect(notes.utf8.count <= 32 << 10)
        #expect(!notes.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\r" || $0 == "\u{202E}" })
        #expect(notes.contains("more"))
    }
}
