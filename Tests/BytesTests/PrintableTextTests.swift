import Bytes
import Testing

@Suite struct PrintableTextTests {
    @Test func `what steers is written as escapes`() {
        let text = PrintableText(escaping: "a\u{1B}[2J\n\u{202E}é").text
        #expect(text == #"a\u{1B}[2J\u{A}\u{202E}é"#)
        #expect(PrintableText(escaping: [0x61, 0xFF, 0x0A][...]).text == #"a\xff\x0a"#)
        #expect("\(quoted: "Ana's iPhone")" == "“Ana's iPhone”")
        #expect("\(quoted: ["a", "b", "c", "d", "e"])" == "“a”, “b”, “c”, “d” and 1 more")
    }

    @Test(arguments: [("abcd", "abcd"), ("abcde", "abc…"), ("abc\n", "abc…"), ("\n", "…")])
    func `length is bounded and no escape is cut`(raw: String, shown: String) {
        #expect(PrintableText(escaping: raw, limit: 4).text == shown)
    }

    @Test(
        arguments: [
            (" a\u{1B}b\n", "a b"), ("\u{202E}cba\u{202C}", "cba"), ("a\u{2028}b", "a b"),
            ("👩\u{200D}💻 Café", "👩\u{200D}💻 Café"), ("\n\t", ""),
        ]
    )
    func `a name is one line as people write it`(raw: String, line: String) {
        #expect(PrintableText(line: raw).text == line)
    }

    @Test(arguments: [
        ("Ana's", true), ("👩\u{200D}💻", true), ("שלום", true), ("12345678", true),
        ("", false), (" ", false), ("\u{A0}", false), ("a\u{A0}b", false), (" a", false),
        ("a ", false), ("a\tb", false), ("a\u{1B}", false), ("a\u{202E}b", false),
        ("\u{200B}", false), ("\u{3164}", false), ("\u{FE0F}\u{200D}", false),
        ("123456789", false), ("x" + String(repeating: "\u{301}", count: 200), false),
    ])
    func `a name is one short line of which something can be seen`(raw: String, isName: Bool) {
        #expect(PrintableText.isName(raw, limit: 8) == isName)
    }
}
