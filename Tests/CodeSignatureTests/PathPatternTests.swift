import CodeSignature
import TestSupport
import Testing

@Suite struct PathPatternTests {
    private func isFound(_ pattern: String, in path: String) throws -> Bool? {
        var budget = 1_000_000
        return try PathPattern(pattern).matches(path.utf8, budget: &budget)
    }

    @Test(arguments: [
        ("^.*", "anything", true), ("^.*", "", true),
        (#"^.*\.lproj/"#, "en.lproj/a.strings", true), (#"^.*\.lproj/"#, "enXlproj/a", false),
        (#"^.*\.lproj/locversion.plist$"#, "de.lproj/locversion.plist", true),
        (#"^.*\.lproj/locversion.plist$"#, "de.lproj/locversion.plist2", false),
        ("^version.plist$", "version-plist", true), ("^version.plist$", "a/version.plist", false),
        (#".*\.dSYM($|/)"#, "A.dSYM", true), (#".*\.dSYM($|/)"#, "A.dSYM/b", true),
        (#".*\.dSYM($|/)"#, "A.dSYMs", false),
        (#"^(.*/)?\.DS_Store$"#, ".DS_Store", true), (#"^(.*/)?\.DS_Store$"#, "a/.DS_Store", true),
        (#"^(.*/)?\.DS_Store$"#, "a.DS_Store", false),
        (#"^Info\.plist$"#, "Info.plist", true), (#"^Info\.plist$"#, "InfoXplist", false),
        ("^Watch/[^/]+\\.app/", "Watch/W.app/x", true),
        ("^Watch/[^/]+\\.app/", "Watch/a/.app", false),
        ("^(Frameworks|PlugIns)/", "PlugIns/W.appex/W", true), ("^[^/]+$", "a/b", false),
        ("^", "x", true), ("$", "x", true), ("a{2,3}b", "caab", true),
        ("^a{2,3}b", "aaaab", false),
        ("x+y?z*", "wxy", true), ("^[[:alpha:]_-]+$", "ab-_C", true), ("^[]a]+$", "]a", true),
        ("^[a-c]{3}$", "abc", true), ("(a*)*b", "aaab", true), ("a||b", "c", true),
    ])
    func `Apple's rules and the grammar behind them`(
        pattern: String,
        path: String,
        isMatch: Bool,
    ) throws {
        #expect(try isFound(pattern, in: path) == isMatch)
    }

    @Test(arguments: [
        "", "(", ")", "a)", "*a", "+", "a{", "a{2", "a{3,2}", "a{256}", "[a", "[b-a]", "[[:nope:]]",
        "[[.a.]]", #"\d"#, #"(a)\1"#, "a\\", "[é]", "(a{255}){255}", "((((){255}){255}){255}){255}",
        String(repeating: "(", count: 500) + String(repeating: ")", count: 500),
        String(repeating: "a", count: 1025),
    ])
    func `what is no expression, or too large a one, is refused`(pattern: String) {
        #expect(throws: MalformedPattern.self) { try PathPattern(pattern) }
    }

    @Test func `a pattern that makes others go back for ever ends in time`() throws {
        let path = String(repeating: "a", count: 2000)
        #expect(try isFound("^(a+)+$x", in: path) == false)
        #expect(try isFound("^(a|a)*b", in: path) == false)
        var budget = 100
        #expect(try PathPattern("(a*)*b").matches(path.utf8, budget: &budget) == nil)
    }

    @Test func `states that wait for nothing are work too`() throws {
        let branches = "(" + String(repeating: "|", count: 900) + ")"
        let path = String(repeating: "a", count: 1000)
        var budget = 1_000_000
        #expect(
            try PathPattern(branches + "[^\u{1}-\u{7f}]").matches(path.utf8, budget: &budget) == nil
        )
        #expect(budget == 0)
    }

    @Test func `a search that ends at once is not free`() throws {
        let pattern = try PathPattern("a|" + String(repeating: "b", count: 1000))
        var budget = 100_000
        var searches = 0
        while pattern.matches("a".utf8, budget: &budget) != nil { searches += 1 }
        #expect((90...100).contains(searches))
    }

    @Test func `damaged patterns are refused or run`() {
        let pattern = Array(#"^(.*/)?[^a-z[:digit:]]{1,4}\.DS_Store$|b+?"#.utf8)
        for bytes in SeededDamage.flips(of: pattern, count: 2000, seed: 5) {
            var budget = 100_000
            let source = String(decoding: bytes, as: UTF8.self)
            _ = try? PathPattern(source).matches("a/bc/.DS_Store".utf8, budget: &budget)
        }
    }
}
