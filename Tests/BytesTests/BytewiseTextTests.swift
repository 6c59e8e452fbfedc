import Bytes
import Testing

struct BytewiseTextTests {
    private static let marks = ["\u{301}", "\u{200D}", "\u{FE0F}"]

    @Test(arguments: marks)
    func `a mark hides nothing that stands before it`(mark: String) {
        let text = "a,\(mark)b?\(mark)c//\(mark)d"
        // Swift's own methods give another result, which is why these exist.
        #expect(!text.contains("?" as Character) && !text.hasPrefix("a,"))
        #expect(text.hasBytes(first: "a,"))
        #expect(!text.hasBytes(first: "a,b"))
        #expect(text.containsBytes(of: "//"))
        #expect(!text.containsBytes(of: "///"))
        #expect(text.split(atByte: ",") == ["a", "\(mark)b?\(mark)c//\(mark)d"])
        #expect(text.prefix(beforeByte: "?").isBytes(of: "a,\(mark)b"))
        #expect("\(mark)x/".hasBytes(last: "/"))
        #expect("a".prefix(beforeByte: "?") == "a")
    }

    @Test func `a sign that joins with what follows hides nothing`() {
        #expect("1.2.3.4\u{600}, 9.9.9.9".split(atByte: ",").count == 2)
        #expect("\u{600}.app".hasBytes(last: ".app"))
    }

    @Test(arguments: marks)
    func `an ending is found in either case and cut off as bytes`(mark: String) {
        #expect("a\u{600}.APP".hasBytes(lastInAnyCase: ".app"))
        #expect("a.app".hasBytes(lastInAnyCase: ".app"))
        #expect(!"a.app\(mark)".hasBytes(lastInAnyCase: ".app"))
        #expect(!"app".hasBytes(lastInAnyCase: ".app"))
        // The kelvin sign, which becomes the letter k in lower case.
        #expect(!"\u{212A}".hasBytes(lastInAnyCase: "k"))
        #expect(
            "\(mark)a\u{600}.x".dropping(lastBytes: ".x")?.isBytes(of: "\(mark)a\u{600}") == true
        )
        #expect("a.x\(mark)".dropping(lastBytes: ".x") == nil)
    }

    @Test func `what looks the same need not be the same bytes`() {
        #expect("K" == "\u{212A}" && !"K".isBytes(of: "\u{212A}"))
        #expect("K".isBytes(of: "K"[...]))
        #expect(!"a".isBytes(of: "ab") && !"ab".isBytes(of: "a"))
    }

    @Test(
        arguments: [
            ("a\nb", ["a", "b"]), ("a\r\nb", ["a", "b"]), ("a\rb", ["a", "b"]),
            ("a\r\n\r\nb\n", ["a", "", "b", ""]), ("", [""]),
            ("\u{301}\n\u{301}", ["\u{301}", "\u{301}"]),
        ] as [(String, [Substring])]
    )
    func `a line ends in any of three ways`(text: String, lines: [Substring]) {
        #expect(text.textLines == lines)
    }

    @Test(
        arguments: [
            ("", ""), (" \t\r\n", ""), (" a b\n", "a b"), ("a", "a"), ("\u{A0}a\u{2028}", "a"),
            (" \u{301}a ", "\u{301}a"), ("a \u{301}", "a \u{301}"),
        ]
    )
    func `white space around a text is cut off`(text: String, trimmed: String) {
        #expect(text.trimmingWhitespace() == trimmed)
    }
}
