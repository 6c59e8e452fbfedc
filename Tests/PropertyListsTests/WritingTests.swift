import Foundation
import PropertyLists
import Testing

@Suite struct WritingTests {
    @Test func `XML is laid out as Apple's tools do`() {
        let list = PropertyList.dictionary([
            "b": .array([.integer(-1), .array([]), .dictionary([:]), .uid(7)]),
            "a": .string("<Ö & 🚀>\r"),
            "c": .data([UInt8](repeating: 0, count: 60)),
        ])
        #expect(
            String(decoding: list.xml(), as: UTF8.self) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                \t<key>a</key>
                \t<string>&lt;Ö &amp; 🚀&gt;&#13;</string>
                \t<key>b</key>
                \t<array>
                \t\t<integer>-1</integer>
                \t\t<array/>
                \t\t<dict/>
                \t\t<dict>
                \t\t\t<key>CF$UID</key>
                \t\t\t<integer>7</integer>
                \t\t</dict>
                \t</array>
                \t<key>c</key>
                \t<data>
                \tAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
                \tAAAAAAAAAAAA
                \t</data>
                </dict>
                </plist>

                """
        )
    }

    @Test func `a character that XML cannot carry becomes the replacement character`() throws {
        let text = "a\u{0}\u{1B}\u{FFFE}\u{FFFF}\t\n\u{7F}"
        let read = try PropertyList(reading: PropertyList.string(text).xml())
        #expect(read == .string("a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\t\n\u{7F}"))
        #expect(try PropertyList(reading: PropertyList.string(text).binary()) == .string(text))
    }

    @Test func `reals are written so that they are read back`() throws {
        let largest = Double.greatestFiniteMagnitude
        for number in [0, -0.0, 0.1, 1e21, largest, .leastNonzeroMagnitude, .infinity, -.infinity] {
            for bytes in [PropertyList.real(number).xml(), PropertyList.real(number).binary()] {
                #expect(try PropertyList(reading: bytes).real?.bitPattern == number.bitPattern)
            }
        }
        #expect(try PropertyList(reading: PropertyList.real(.nan).xml()).real?.isNaN == true)
    }

    @Test(arguments: [
        (Double.nan, "2001-01-01T00:00:00Z"), (-.infinity, "0000-01-01T00:00:00Z"),
        (.infinity, "9999-12-31T23:59:59Z"), (1e300, "9999-12-31T23:59:59Z"),
        (-0.5, "2000-12-31T23:59:59Z"), (0.999, "2001-01-01T00:00:00Z"),
    ])
    func `a date that no form carries is written as the nearest one`(
        seconds: Double,
        text: String,
    ) throws {
        let date = PropertyList.date(Date(timeIntervalSinceReferenceDate: seconds))
        #expect(String(decoding: date.xml(), as: UTF8.self).contains("<date>\(text)</date>"))
        #expect(try PropertyList(reading: date.binary()).date != nil)
    }

    @Test func `binary stores equal values once`() {
        let text = PropertyList.string(String(repeating: "long", count: 25))
        let once = PropertyList.array([text]).binary()
        let often = PropertyList.array([PropertyList](repeating: text, count: 10)).binary()
        #expect(often.count == once.count + 9)
    }

    @Test(arguments: [15, 254, 255, 256, 65_536])
    func `references and counts grow with the number of objects`(count: Int) throws {
        let list = PropertyList.array((0..<count).map { .integer(Int64($0)) })
        #expect(try PropertyList(reading: list.binary()) == list)
    }

    @Test func `spellings that are only canonically equal stay apart as values`() throws {
        let list = PropertyList.array([.string("\u{E9}"), .string("e\u{301}")])
        for bytes in [list.xml(), list.binary()] {
            let strings = try PropertyList(reading: bytes).strings ?? []
            #expect(strings.map { $0.unicodeScalars.count } == [1, 2])
        }
    }
}
