import Bytes
import CodeSignature
import PropertyLists
import TestSupport
import Testing

@Suite struct SealedResourcesTests {
    private func seal(
        rules: [String: PropertyList],
        files: [String: PropertyList] = [:],
    ) throws -> SealedResources {
        let list = PropertyList.dictionary([
            "files2": .dictionary(files), "rules2": .dictionary(rules),
        ])
        return try SealedResources(reading: list.xml())
    }

    private func deciding(_ path: RelativePath, _ seal: SealedResources) throws -> String? {
        var budget = 1_000_000
        return try seal.rules.deciding(path, budget: &budget)?.pattern.source
    }

    @Test func `the heaviest rule decides, and of equals the one that omits`() throws {
        let seal = try seal(rules: [
            "^": .dictionary(["weight": .real(20)]),
            #"^Info\.plist$"#: .dictionary(["weight": .integer(20), "omit": .boolean(true)]),
            #"^.*\.lproj/"#: .dictionary(["weight": .real(1000), "optional": .boolean(true)]),
            "^away$": .boolean(false), "^zero": .dictionary(["weight": .real(100)]),
        ])
        #expect(try deciding("Info.plist", seal) == #"^Info\.plist$"#)
        #expect(try deciding("en.lproj/a", seal) == #"^.*\.lproj/"#)
        #expect(try deciding("zero", seal) == "^zero")
        #expect(try deciding("other", seal) == "^")
        #expect(seal.rules.rules.first { $0.pattern.source == "^away$" }?.isOmitted == true)
    }

    @Test func `where no rule matches nothing decides`() throws {
        #expect(try deciding("b", try seal(rules: ["^a": .boolean(true)])) == nil)
    }

    @Test func `rules that are no expressions are named, and too many are not run`() throws {
        #expect(try seal(rules: ["(": .boolean(true)]).rules.malformed.keys.sorted() == ["("])
        let many = (0..<300).map { ("^\($0)$", PropertyList.boolean(true)) }
        let rules = try seal(rules: Dictionary(uniqueKeysWithValues: many)).rules
        #expect(rules.rules.count == 256)
        #expect(rules.malformed.count == 44)
    }

    @Test func `the rules of a seal share what their patterns may come to`() throws {
        let rules = (100..<356).map { ("\($0)(a{255}){15}", PropertyList.boolean(true)) }
        let kept = try seal(rules: Dictionary(uniqueKeysWithValues: rules)).rules
        #expect(kept.rules.map(\.pattern.source) == rules.prefix(5).map(\.0))
        #expect(kept.malformed.count == 251)
    }

    @Test func `rules that cost too much are given up`() throws {
        let seal = try seal(rules: ["((a?){200}){10}b": .boolean(true)])
        var budget = 10_000
        #expect(throws: SealRuleSet.TooCostly.self) {
            try seal.rules.deciding(
                RelativePath(String(repeating: "a", count: 500)),
                budget: &budget,
            )
        }
    }

    @Test func `the second list is read where it is, with every kind of entry`() throws {
        let seal = try seal(
            rules: [:],
            files: [
                "a": .dictionary(["hash2": .data([2])]),
                "b": .dictionary(["hash": .data([1]), "optional": .boolean(true)]),
                "c": .data([1]), "d": .dictionary(["symlink": .string("a")]),
                "e": .dictionary(["cdhash": .data([3])]), "f": .string("?"),
            ],
        )
        #expect(seal.version == 2)
        #expect(seal.entries["a"]?.item == .file(sha256: [2], sha1: nil))
        #expect(seal.entries["b"]?.item == .file(sha256: nil, sha1: [1]))
        #expect(seal.entries["b"]?.isOptional == true)
        #expect(seal.entries["c"]?.item == .file(sha256: nil, sha1: [1]))
        #expect(seal.entries["d"]?.item == .symbolicLink(target: "a"))
        #expect(seal.entries["e"]?.item == .code(hash: [3]))
        #expect(seal.entries["f"]?.item == .malformed)
    }

    @Test func `a seal without files is none`() {
        #expect(throws: MalformedSeal.noFiles) {
            try SealedResources(reading: PropertyList.dictionary([:]).xml())
        }
        #expect(throws: MalformedSeal.self) { try SealedResources(reading: [1, 2, 3]) }
    }

    @Test(.enabled(if: Fixtures.arePresent, "no real fixtures here"))
    func `Apple's own rules are all understood`() throws {
        for item in Fixtures.items(ofKind: "coderesources") {
            let seal = try SealedResources(reading: try item.bytes())
            #expect(!seal.rules.rules.isEmpty, "\(item)")
            #expect(seal.rules.malformed.isEmpty, "\(item)")
        }
    }
}
