import Bytes
import Testing

struct RelativePathTests {
    /// A combining mark that merges with the slash before it, a joiner, a variation selector, and a character
    /// that merges with what follows: Swift's own `split`, `hasPrefix` and `hasSuffix` miss the slash or dot
    /// next to each.
    private static let joining = [
        "\u{301}", "\u{200D}", "\u{FE0F}", "\u{600}", "\u{20DD}", "\u{1F3FB}",
    ]

    @Test(arguments: joining)
    func `what joins with a slash for a reader is a component of its own`(mark: String) {
        let path = RelativePath("Payload/\(mark)Evil\(mark).app/x")
        #expect(path.components == ["Payload", "\(mark)Evil\(mark).app", "x"])
        #expect(path.isBelow("Payload"))
        #expect(path.relative(to: "Payload") == "\(mark)Evil\(mark).app/x")
        #expect(path.folders == ["Payload", "Payload/\(mark)Evil\(mark).app"])
        #expect(path.name == "x")
        #expect(path.parent?.fileExtension == "app")
        #expect(path.parent?.stem == "\(mark)Evil\(mark)")
        #expect(path.parent?.hasSuffix(".app") == true)
        #expect(path.hasPrefix("Payload/"))
    }

    @Test func `letters that are composed in one path and taken apart in another are two names`() {
        let composed: RelativePath = "caf\u{E9}"
        let decomposed: RelativePath = "cafe\u{301}"
        #expect(composed.text == decomposed.text)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
    }

    @Test(
        arguments: [
            ("a", nil, nil, "a"), ("a.b", nil, "b", "a"), (".a", nil, nil, ".a"),
            ("x.y/a", "x.y", nil, "a"), ("x/a.b.c", "x", "c", "a.b"), ("x/.b", "x", nil, ".b"),
            ("a.", nil, "", "a"), ("x/", "x", nil, ""), ("", nil, nil, ""),
        ] as [(String, String?, String?, String)]
    )
    func `a path comes apart at its last slash and the last dot behind it`(
        text: String,
        parent: String?,
        pathExtension: String?,
        stem: String,
    ) {
        let path = RelativePath(text)
        #expect(path.parent == parent.map { RelativePath($0) })
        #expect(path.fileExtension == pathExtension.map { RelativePath($0) })
        #expect(path.stem == RelativePath(stem))
    }

    @Test func `a folder is above what begins with it and a slash, and above nothing else`() {
        #expect(RelativePath("a/b").isBelow("a"))
        for path in ["a", "a/", "ab/c", "A/b", "b/a/c"] as [RelativePath] {
            #expect(!path.isBelow("a"), "\(path)")
            #expect(path.relative(to: "a") == nil, "\(path)")
        }
    }

    @Test func `the first components are split off`() {
        let path: RelativePath = "PlugIns/W.appex/Frameworks/K.framework"
        let two = path.split(first: 2)
        #expect(two?.components == ["PlugIns", "W.appex"])
        #expect(two?.rest == "Frameworks/K.framework")
        #expect(RelativePath("a/b").split(first: 2)?.rest == "")
        #expect(RelativePath("a").split(first: 2) == nil)
        #expect(["a", "b/c"].joined() == "a/b/c" as RelativePath)
        #expect("a" / "b" == "a/b" as RelativePath)
    }
}
