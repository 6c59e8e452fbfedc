import Foundation
import PropertyLists
import Testing

@Suite struct XMLReadingTests {
    @Test func `every element is read`() throws {
        let list = try value(
            """
            <!-- an app -->
            <dict>
                <key>text</key> <string> a b </string>
                <key>empty</key><string/>
                <key>number</key><integer>-3</integer>
                <key>real</key><real>1.5e3</real>
                <key>yes</key><true/><key>no</key><false></false>
                <key>date</key><date>2026-03-01T09:41:00Z</date>
                <key>data</key><data>
                    AAEC
                    /w==
                </data>
                <key>list</key><array><array/><dict/><dict></dict></array>
            </dict>
            """
        )
        #expect(
            list
                == .dictionary([
                    "text": .string(" a b "), "empty": .string(""), "number": .integer(-3),
                    "real": .real(1500), "yes": .boolean(true), "no": .boolean(false),
                    "date": .date(Date(timeIntervalSince1970: 1_772_358_060)),
                    "data": .data([0, 1, 2, 0xFF]),
                    "list": .array([.array([]), .dictionary([:]), .dictionary([:])]),
                ])
        )
    }

    @Test(
        arguments: [
            ("0", .integer(0)), (" 42\n", .integer(42)), ("+7", .integer(7)),
            ("-0x10", .integer(-16)),
            ("0xfF", .integer(255)), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .unsigned(1 << 63)),
            ("18446744073709551615", .unsigned(.max)), ("0xFFFFFFFFFFFFFFFF", .unsigned(.max)),
        ] as [(String, PropertyList)]
    )
    func `an integer is read`(text: String, expected: PropertyList) throws {
        #expect(try value("<integer>\(text)</integer>") == expected)
    }

    @Test(arguments: [
        "", "-", "+", "0x", "1 2", "1.0", "1e3", "--1", "a", "१", "18446744073709551616",
        "-9223372036854775809", "0x10000000000000000", "&#49;",
    ])
    func `what is no integer is refused`(text: String) {
        #expect(complaint(about: document("<integer>\(text)</integer>")) != nil)
    }

    @Test(arguments: [
        ("0.1", 0.1), ("5", 5), ("-1E-3", -0.001), ("inf", .infinity), ("+Infinity", .infinity),
        ("-infinity", -.infinity), ("5e-324", Double.leastNonzeroMagnitude),
    ])
    func `a real is read`(text: String, expected: Double) throws {
        #expect(try value("<real>\(text)</real>") == .real(expected))
    }

    @Test func `no number is a real`() throws {
        #expect(try value("<real>nan</real>").real?.isNaN == true)
    }

    @Test(arguments: ["", "1,5", "0x1p3", "nan(0x1)", "1e999", "-1e999", "1.2.3", "e", "一"])
    func `what is no real is refused`(text: String) {
        #expect(complaint(about: document("<real>\(text)</real>")) != nil)
    }

    @Test(arguments: [
        ("2001-01-01T00:00:00Z", 978_307_200), ("1970-01-01T00:00:00Z", 0),
        ("2000-02-29T23:59:59Z", 951_868_799), ("1600-02-29T00:00:00Z", -11_670_998_400),
        ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ("1969-12-31T23:59:59Z", -1),
    ])
    func `a date is read and written`(text: String, seconds: Double) throws {
        let date = PropertyList.date(Date(timeIntervalSince1970: seconds))
        #expect(try value("<date>\(text)</date>") == date)
        #expect(String(decoding: date.xml(), as: UTF8.self).contains("<date>\(text)</date>"))
    }

    @Test(arguments: [
        "", "2026-03-01", "2026-03-01T09:41:00", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00+01:00",
        "-026-01-01T00:00:00Z", "20260-1-01T00:00:00Z",
    ])
    func `what is no date is refused`(text: String) {
        #expect(complaint(about: document("<date>\(text)</date>")) != nil)
    }

    @Test(
        arguments: [
            ("", []), ("AA==", [0]), ("A A\n\t=\r= ", [0]), ("AAA=", [0, 0]), ("AAAA", [0, 0, 0]),
            ("+/+/", [0xFB, 0xFF, 0xBF]),
        ] as [(String, [UInt8])]
    )
    func `data is read`(text: String, expected: [UInt8]) throws {
        #expect(try value("<data>\(text)</data>") == .data(expected))
    }

    @Test(arguments: [
        "A", "AA", "AAA", "AA=", "A===", "====", "AAAA=", "AA==AA==", "AB==", "AAB=", "AA-_",
        "AAA\u{0}", "AAAé",
    ])
    func `what is no base 64 is refused`(text: String) {
        #expect(complaint(about: document("<data>\(text)</data>")) != nil)
    }

    @Test(arguments: [
        ("a&amp;&lt;&gt;&quot;&apos;b", "a&<>\"'b"), ("&#65;&#x42;&#x1F680;", "AB🚀"),
        ("&amp;lt;", "&lt;"), ("<![CDATA[<b>&amp;]]>", "<b>&amp;"), ("a<![CDATA[]]>b", "ab"),
        ("a\r\nb\t", "a\r\nb\t"), ("&#13;", "\r"), ("שלום 👩‍👩‍👧", "שלום 👩‍👩‍👧"), ("]]>", "]]>"),
    ])
    func `text is read`(text: String, expected: String) throws {
        let read = try value("<string>\(text)</string>")
        #expect(read.string.map { Array($0.utf8) } == Array(expected.utf8))
        #expect(try value("<dict><key>\(text)</key><true/></dict>")[expected] == .boolean(true))
    }

    @Test(arguments: [
        "<plist><true/></plist>", "\u{FEFF}<plist version='1.0'><true/></plist>",
        "  \n<plist version=\"1.0\" ><true/></plist> <!-- end -->\n",
        "<?xml version='1.0' encoding='utf-8' standalone='no' ?><plist><true></true ></plist>",
        "<!-- one --><!DOCTYPE plist SYSTEM \"file://localhost/PropertyList.dtd\" ><!-- two -->"
            + "<plist><!-- --><true/><!-- --></plist>",
    ])
    func `the frame may be spelled differently`(text: String) throws {
        #expect(try PropertyList(reading: Array(text.utf8)) == .boolean(true))
    }

    @Test func `a UID is read from the dictionary that stands for it`() throws {
        #expect(try value("<dict><key>CF$UID</key><integer>4</integer></dict>") == .uid(4))
        let negative = try value("<dict><key>CF$UID</key><integer>-4</integer></dict>")
        #expect(negative == .dictionary(["CF$UID": .integer(-4)]))
    }
}
