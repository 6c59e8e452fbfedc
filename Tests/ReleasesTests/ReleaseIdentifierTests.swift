import Foundation
import Releases
import TestSupport
import Testing

struct ReleaseIdentifierTests {
    @Test(arguments: [
        ("1.2.0", "34", "1.2.0-34"), ("1.2-beta", "1", "1.2~2dbeta-1"), ("", "", "~-~"),
        ("..", "..", "~2e.-~2e."), ("../../etc", "1", "~2e.~2f..~2fetc-1"),
        ("1/2", "a\\b", "1~2f2-a~5cb"),
        ("a\0b", "\n", "a~00b-~0a"), ("~", "~7e", "~7e-~7e7e"), ("CON", "NUL", "CON-NUL"),
        ("1.0+5", "+5", "1.0+5-~2b5"), ("ü", "🦊", "~c3~bc-~f0~9f~a6~8a"),
        ("%2e%2e%2f", "1", "~252e~252e~252f-1"),
    ])
    func `a version that cannot name a file is escaped`(
        version: String,
        build: String,
        text: String,
    ) {
        #expect(ReleaseIdentifier(version: version, build: build).rawValue == text)
    }

    @Test func `two pairs never share one identifier, and every identifier is read back`() {
        var generator = SeededGenerator(seed: 1702)
        var pairs: [String: [String]] = [:]
        let alphabet = Array("01.-~+/\\%aA2ef7\u{0}\n \u{301}é🦊‮;\"<")
        for _ in 0..<20_000 {
            let parts = (0..<2).map { _ in
                String(
                    (0..<Int.random(in: 0...5, using: &generator)).compactMap { _ in
                        alphabet.randomElement(using: &generator)
                    }
                )
            }
            let identifier = ReleaseIdentifier(version: parts[0], build: parts[1])
            let bytes = parts.map { Array($0.utf8).description }
            #expect(pairs[identifier.rawValue, default: bytes] == bytes)
            pairs[identifier.rawValue] = bytes
            #expect(ReleaseIdentifier(identifier.rawValue) == identifier, "\(identifier)")
        }
    }

    @Test(arguments: [96, 97, 255, 300, 100_000])
    func `a version of any length fits in a file name`(length: Int) {
        let long = String(repeating: "1", count: length)
        let unicode = String(repeating: "é", count: length)
        let identifiers = [
            ReleaseIdentifier(version: long, build: long),
            ReleaseIdentifier(version: long, build: long + "1"),
            ReleaseIdentifier(version: long + "1", build: long),
            ReleaseIdentifier(version: unicode, build: unicode),
        ]
        #expect(Set(identifiers).count == 4)
        for identifier in identifiers {
            #expect((identifier.rawValue + ".json").utf8.count <= 200)
            #expect(ReleaseIdentifier(identifier.rawValue) == identifier)
        }
    }

    @Test func `what a short version escapes to is no long version`() {
        let long = ReleaseIdentifier(version: String(repeating: "9", count: 500), build: "1")
        let version = String(long.rawValue.dropLast(2))
        #expect(ReleaseIdentifier(version: version, build: "1") != long)
    }

    @Test(arguments: [
        "", "-", "1", "1-", "-1", "1-2-3", "..-1", ".1-1", "1-.1", "+1-1", "a/b-1", "1~-1", "1~2-1",
        "1~zz-1", "1~2D-1", "~31-1", "~ff-1", "1-2 ", "1-2\n", "1\0-2", "1-é", "%31-1", "1.0-~2",
        "~~-1", "1%2F2-1", "1\\2-1", String(repeating: "1", count: 97) + "-1",
        String(repeating: "1", count: 30) + "~~" + String(repeating: "A", count: 64) + "-1",
        String(repeating: "/", count: 30) + "~~" + String(repeating: "a", count: 64) + "-1",
    ])
    func `text that no identifier has is not one`(text: String) {
        #expect(ReleaseIdentifier(text) == nil)
    }

    @Test func `JSON carries it as a string and refuses another`() throws {
        let identifier = ReleaseIdentifier(version: "1.2", build: "3")
        #expect(try StoredJSON.text([identifier]) == "[\n  \"1.2-3\"\n]\n")
        #expect(throws: DecodingError.self) {
            try StoredJSON.value([ReleaseIdentifier].self, from: #"["../1-2"]"#)
        }
    }

    @Test func `the releases of a version share a prefix that others lack`() {
        let prefix = ReleaseIdentifier(version: "1.2", build: "").versionPrefix
        #expect(ReleaseIdentifier(version: "1.2", build: "3").rawValue.hasPrefix(prefix))
        #expect(!ReleaseIdentifier(version: "1.20", build: "3").rawValue.hasPrefix(prefix))
        #expect(!ReleaseIdentifier(version: "1.2-rc", build: "3").rawValue.hasPrefix(prefix))
    }
}
