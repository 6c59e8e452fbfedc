import PropertyLists
import Testing

/// What CoreFoundation accepts in an Info.plist, but a strict reader does not.
@Suite struct TolerantReadingTests {
    private static let text = """
        <?xml version="1.0" encoding="UTF-16"?>
        <plist version="1.0"><dict><key>Näme</key><string>𝄞</string></dict></plist>
        """

    private func utf16(_ text: String, isLittle: Bool, hasMark: Bool = true) -> [UInt8] {
        ((hasMark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
            let pair = [UInt8(unit >> 8), UInt8(unit & 0xff)]
            return isLittle ? pair.reversed() : pair
        }
    }

    @Test(arguments: [true, false])
    func `UTF-16 with a mark is read`(isLittle: Bool) throws {
        let bytes = utf16(Self.text, isLittle: isLittle)
        let reading = try TolerantReading(bytes)
        #expect(reading.value == .dictionary(["Näme": .string("𝄞")]))
        #expect(reading.isUTF16)
        #expect(throws: MalformedPropertyList.self) { try PropertyList(reading: bytes) }
    }

    @Test func `UTF-16 that is none is refused`() {
        let whole = utf16(Self.text, isLittle: true)
        let damaged = [
            utf16(Self.text, isLittle: true, hasMark: false), Array(whole.dropLast()),
            [0xFF, 0xFE], [0xFF, 0xFE, 0x00, 0xD8], Array(Self.text.utf8),
        ]
        for bytes in damaged {
            #expect(throws: MalformedPropertyList.self) { try TolerantReading(bytes) }
        }
    }

    @Test func `of a key that comes twice the last value counts, and it is named`() throws {
        let text = """
            <plist version="1.0"><dict><key>a</key><true/><key>b</key><dict><key>c</key><true/>\
            <key>c</key><false/></dict><key>a</key><false/></dict></plist>
            """
        let reading = try TolerantReading(Array(text.utf8))
        #expect(
            reading.value
                == .dictionary(["a": .boolean(false), "b": .dictionary(["c": .boolean(false)])])
        )
        #expect(reading.repeatedKeys == ["c", "a"])
        // The dictionary {a: true, a: true} in the binary form.
        let binary =
            Array("bplist00".utf8) + [0xD2, 1, 1, 2, 2, 0x51, 0x61, 0x09]
            + [8, 13, 15] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 3]
            + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 16]
        #expect(try TolerantReading(binary).repeatedKeys == ["a"])
        #expect(throws: MalformedPropertyList.self) { try PropertyList(reading: binary) }
    }

    @Test func `what is read strictly is read the same`() throws {
        let value = PropertyList.dictionary(["a": .array([.integer(1)]), "b": .string("x")])
        for bytes in [value.xml(), value.binary()] {
            let reading = try TolerantReading(bytes)
            #expect(reading.value == value)
            #expect(reading.repeatedKeys == [])
            #expect(!reading.isUTF16)
        }
    }

    @Test func `limits hold for what is transcoded too`() {
        let limits = PropertyList.Limits(bytes: 100, depth: 4, objects: 10, content: 100)
        #expect(throws: MalformedPropertyList(.tooLarge(limit: 100))) {
            try TolerantReading(utf16(Self.text, isLittle: true), limits: limits)
        }
    }
}
