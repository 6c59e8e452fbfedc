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
}
