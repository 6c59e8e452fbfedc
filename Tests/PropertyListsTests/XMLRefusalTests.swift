import PropertyLists
import Testing

@Suite struct XMLRefusalTests {
    @Test(arguments: [
        "", " ", "hello", "{ a = b; }", "(a, b)", "{\"a\": 1}", "[]", "\"text\"", "<", "bplist",
        "a = 1;", "\u{FEFF}", "PK\u{3}\u{4}",
    ])
    func `text that is no property list is refused`(text: String) {
        #expect(refusal(of: text) != nil)
    }

    @Test(arguments: ["{ a = b; }", "{\"a\": 1}", "hello", "", "// !$*UTF8*$!\n{}"])
    func `old-style text and JSON are named as no property list`(text: String) {
        #expect(refusal(of: text) == .notAPropertyList)
    }

    @Test func `an entity bomb is refused at its document type`() {
        let bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE plist [
              <!ENTITY a "aaaaaaaaaa">
              <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
            ]>
            <plist><string>&b;</string></plist>
            """
        #expect(complaint(about: bomb)?.contains("defines entities") == true)
    }

    @Test func `an external entity is refused at its document type`() {
        let theft = """
            <!DOCTYPE plist SYSTEM "x" [ <!ENTITY x SYSTEM "file:///etc/passwd"> ]>
            <plist><string>&x;</string></plist>
            """
        #expect(complaint(about: theft)?.contains("defines entities") == true)
    }

    @Test func `an undefined entity is refused by name`() {
        #expect(
            complaint(about: document("<string>&xxe;</string>"))
                == "uses the undefined entity “xxe”"
        )
    }

    @Test(arguments: [
        "&#0;", "&#x8;", "&#xD800;", "&#xFFFE;", "&#x110000;", "&#;", "&#x;", "&#-1;", "&#+65;",
        "&#99999999999;", "&;", "& ", "&amp", "&AMP;", "\u{1}", "\u{0}", "\u{FFFE}", "\u{FFFF}",
        "<![CDATA[\u{1}]]>", "<![CDATA[", "<!-- -->", "<b>a</b>", "<?x?>",
    ])
    func `what no text may hold is refused`(text: String) {
        #expect(complaint(about: document("<string>a\(text)</string>")) != nil)
    }

    @Test func `a text that is not UTF-8 is refused`() {
        for bytes in [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82]] as [[UInt8]] {
            let text = Array("<plist><string>".utf8) + bytes + Array("</string></plist>".utf8)
            #expect(
                refusal(of: text)
                    == .xml(line: 1, column: 16, what: "has a text that is not UTF-8")
            )
        }
    }

    @Test func `UTF-16 is refused by name, marked or not`() {
        let text = Array(document("<true/>").utf16)
        let little = text.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let big = text.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        for bytes in [little, big, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big] {
            #expect(
                refusal(of: bytes) == .xml(line: 1, column: 1, what: "is UTF-16 and not UTF-8")
            )
        }
    }

    @Test func `another encoding is refused by name`() {
        let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><true/></plist>"
        #expect(complaint(about: text) == "is “ISO-8859-1” and not UTF-8")
    }

    @Test(arguments: [
        "<html></html>", "<dict/>", "<!DOCTYPE html><plist><true/></plist>", "<plist/>",
        "<plist></plist>", "<plist><true/>", "<plist><true/><true/></plist>",
        "<plist><true/></plist>x", "<plist><true/></plist><plist><true/></plist>",
        "<plist><true/></plist>\u{0}", "<plist>x<true/></plist>", "<plist><True/></plist>",
        "<plist><true a='b'/></plist>", "<plist a><true/></plist>", "<plist a=b><true/></plist>",
        "<plist><string>a</key></plist>", "<plist><array></dict></plist>",
        "<plist><key>a</key></plist>", "<plist><plist><true/></plist></plist>",
        "<plist><true>a</true></plist>", "<plist><true/ ></plist>",
        "<plist><?php ?><true/></plist>",
        "<?xml-stylesheet href='a'?><plist><true/></plist>", "<?xml version=1?><plist/>",
        "<!DOCTYPE plist><!DOCTYPE plist><plist><true/></plist>", "<!-- <plist><true/></plist>",
        "<!DOCTYPE plist WRONG \"a\"><plist><true/></plist>", "<!DOCTYPE plist \"a", "<?xml",
        "<plist><string><!-- a --></string></plist>", "<plist><unknownelement/></plist>",
        "<plist><![CDATA[<true/>]]></plist>", "<plist><integer><![CDATA[1]]></integer></plist>",
    ])
    func `a frame or an element out of place is refused`(text: String) {
        #expect(complaint(about: text) != nil)
    }

    @Test(arguments: [
        "<dict><key>a</key></dict>", "<dict><true/></dict>", "<dict>a</dict>",
        "<dict><key>a</key><key>b</key></dict>", "<dict><key>a</key></array></dict>",
        "<dict></key></dict>",
    ])
    func `a dictionary that is no list of pairs is refused`(text: String) {
        #expect(complaint(about: document(text)) != nil)
    }

    @Test func `a key that comes twice is refused`() {
        let text = "<dict><key>a</key><true/><key>&#97;</key><false/></dict>"
        #expect(refusal(of: document(text)) == .duplicateKey("a"))
    }

    @Test func `a refusal says line and column`() {
        let text = "<plist>\n  <array>\n    <string>é</string><what/>\n  </array>\n</plist>"
        #expect(
            refusal(of: text) == .xml(line: 3, column: 23, what: "has the unknown element “what”")
        )
    }

    @Test func `a stranger's text is quoted short and without control characters`() {
        let key = String(repeating: "k", count: 100)
        let error = MalformedPropertyList(.duplicateKey("\u{1B}[31m\u{202E}\n" + key))
        let shown = error.description
        #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
        #expect(shown.contains("…") && shown.count < 160)
    }
}
