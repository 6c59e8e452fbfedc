import TestSupport
import Testing
import Versions

struct TagTests {
    @Test(arguments: [
        ("v1.2.3", "", "1.2.3"), ("1.2.3", "", "1.2.3"), ("V2", "", "2"),
        ("v1.2.3-beta.4", "", "1.2.3-beta.4"), ("browsey/v1.2.3", "browsey/", "1.2.3"),
        ("apps/ios/simbridge/2.0", "apps/ios/simbridge/", "2.0"),
        ("v1.2.3+meta", "", "1.2.3+meta"), ("v/1.0.0", "v/", "1.0.0"),
    ])
    func `a tag names a version`(name: String, prefix: String, version: String) throws {
        let tag = try VersionTag(TagName(name))
        #expect(tag.prefix == prefix)
        #expect(tag.version.description == version)
        #expect(tag.name.reference == "refs/tags/\(name)")
        #expect(try TagName(reference: tag.name.reference) == tag.name)
    }

    @Test func `a prefix may be any beginning of a name`() throws {
        let name = try TagName("browsey-v1.2.3")
        #expect(try VersionTag(name, prefix: "browsey-").version.description == "1.2.3")
        #expect(throws: VersionFlaw.numbers("browsey")) { try VersionTag(name) }
        #expect(throws: VersionFlaw.otherPrefix("pare-")) { try VersionTag(name, prefix: "pare-") }
        #expect(throws: VersionFlaw.self) { try VersionTag(TagName("browsey/v1.0.0"), prefix: "") }
    }

    @Test(arguments: [
        "", "-v1.2.3", "--upload-pack=touch X;git-upload-pack", "--output=F", "v1.2.3 ", "v1 .2",
        "$(touch x)", "`id`", "v1.2.3;id", "v1.2.3|id", "v1.2.3&id", "v1.2.3>x", "v1.2.3\n", "a\tb",
        "v1.2.3\0", "$IFS", "a'b", "a\"b", "v1..2", "../v1.2.3", "a//b", "/v1.2.3", "v1.2.3/",
        ".v1", "a/.b", "v1.lock", "a.lock/b", "v1.2.3.", "@", "@{-1}", "v1~1", "v1^{}", "v1:path",
        "v*", "v?", "v[1]", "a\\b", "é", "v1\u{202E}", "v1.2.3\u{0301}", "{a,b}", "a#b", "a!b",
        "a%b",
    ])
    func `a name that could mean something else is refused`(name: String) {
        #expect(throws: TagFlaw.self) { try TagName(name) }
        #expect(throws: TagFlaw.self) { _ = try TagName(reference: "refs/tags/" + name) }
    }

    @Test func `what is no tag's reference is none`() throws {
        #expect(try TagName(reference: "refs/heads/v1.2.3") == nil)
        #expect(try TagName(reference: "v1.2.3") == nil)
    }

    @Test func `of two thousand hostile names none is taken that a shell or git reads otherwise`() {
        let seed: UInt64 = 5
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "v1.2.3", "-", "--", "..", "/", "$(id)", "`id`", ";", "|", "&", "\n", "\r", " ", "\t",
            "'",
            "\"", "\\", "\0", "*", "?", "[", "{", "}", "~", "^", ":", "@{", "ext::sh -c id",
            ".lock",
            "refs/heads/", "\u{202E}", "é", "1", "a", "%2e%2e", "=", "<", ">", "!", "#", "0", ".",
            "upload-pack", "+", "@",
        ]
        var taken = 0
        for _ in 0..<2000 {
            let count = Int.random(in: 1...6, using: &generator)
            let name = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined()
            guard let tag = try? TagName(name) else { continue }
            taken += 1
            let allowed = tag.rawValue.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "._+-/@".utf8.contains(byte)
                }
            }
            #expect(allowed && tag.rawValue.first != "-", "\(name.debugDescription), seed \(seed)")
            #expect(!tag.rawValue.contains("..") && !tag.rawValue.contains("//"), "seed \(seed)")
        }
        #expect(taken > 10, "the generator must make some names that are fine")
    }
}
