import PropertyLists
import Testing

@Suite struct BinaryRefusalTests {
    @Test(arguments: [UInt8(0), 9, 255])
    func `an offset or reference size outside 1 to 8 is refused`(size: UInt8) {
        var document = BinaryDocument([0x09])
        document.offsetSize = size
        #expect(complaint(about: document)?.contains("offset size") == true)
        document.offsetSize = 1
        document.referenceSize = size
        #expect(complaint(about: document)?.contains("reference size") == true)
    }

    @Test(arguments: [0, 2, 1 << 32, 1 << 61, UInt64.max])
    func `an object count that the table does not hold is refused`(count: UInt64) {
        var document = BinaryDocument([0x09])
        document.claimedCount = count
        #expect(complaint(about: document) != nil)
    }

    @Test(arguments: [1, 1 << 32, UInt64.max])
    func `a top object that does not exist is refused`(top: UInt64) {
        var document = BinaryDocument([0x09])
        document.topObject = top
        #expect(complaint(about: document)?.contains("top object") == true)
    }

    @Test(arguments: [0, 8, 10, 1 << 40, UInt64.max])
    func `an offset table in the wrong place is refused`(table: UInt64) {
        var document = BinaryDocument([0x09])
        document.claimedTable = table
        #expect(complaint(about: document)?.contains("offset table") == true)
    }

    @Test(arguments: [0, 7, 9, 30, UInt64.max])
    func `an offset outside the objects is refused`(offset: UInt64) {
        var document = BinaryDocument([0x09])
        document.offsetSize = 8
        document.claimedOffsets[0] = offset
        #expect(complaint(about: document)?.contains("object offset") == true)
    }

    @Test func `a reference to no object is refused`() {
        #expect(
            complaint(about: BinaryDocument([0xA1, 1]))?.contains("object reference") == true
        )
    }

    @Test(
        arguments: [
            [0x4F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x6F, 0x13, 0x80, 0, 0, 0, 0, 0, 0, 0],
            [0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0xDF, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 1],
            [0x5F, 0x12, 0x7F, 0xFF, 0xFF, 0xFF],
            [0x5F, 0x14] + [UInt8](repeating: 0, count: 16),
            [0x5F, 0x51, 0x61],
            [0x5E, 0x61],
            [0xA2, 0],
        ] as [[UInt8]]
    )
    func `a count beyond the bytes is refused`(object: [UInt8]) {
        #expect(complaint(about: BinaryDocument(object)) != nil)
    }

    @Test(
        arguments: [
            ([0x00], "null"), ([0x0F], "fill"), ([0xC1, 0], "a set"), ([0xB1, 0], "a set"),
            ([0x0C, 0x51, 0x61], "unknown kind 0x0c"), ([0x70], "unknown kind 0x70"),
            ([0x15], "unknown kind"), ([0x21, 0, 0], "unknown kind"), ([0x88], "unknown kind"),
        ] as [([UInt8], String)]
    )
    func `an object of a kind that no app needs is refused by name`(object: [UInt8], name: String) {
        #expect(complaint(about: BinaryDocument(object))?.contains(name) == true)
    }

    @Test func `numbers that fit nowhere are refused`() {
        let zeroes = [UInt8](repeating: 0, count: 7)
        #expect(complaint(about: BinaryDocument([0x14] + zeroes + [1, 0] + zeroes)) != nil)
        for seconds in [Double.nan, .infinity, 1e300, -1e12] {
            let object = [0x33] + BinaryDocument.bigEndian(seconds.bitPattern)
            #expect(complaint(about: BinaryDocument(object))?.contains("date") == true)
        }
    }

    @Test(arguments: [[0x61, 0xD8, 0], [0x61, 0xDC, 0], [0x62, 0xD8, 0, 0, 0x61]] as [[UInt8]])
    func `a lone surrogate is refused`(object: [UInt8]) {
        #expect(complaint(about: BinaryDocument(object))?.contains("surrogate") == true)
    }

    @Test func `a byte above 127 in an ASCII string is refused`() {
        #expect(complaint(about: BinaryDocument([0x51, 0xE9]))?.contains("above 127") == true)
    }

    @Test func `a key that is no string, or comes twice, is refused`() {
        let number = BinaryDocument([0xD1, 1, 1], [0x10, 1])
        #expect(complaint(about: number)?.contains("is not a string") == true)
        let twice = BinaryDocument([0xD2, 1, 2, 1, 1], [0x51, 0x61], [0x61, 0, 0x61])
        #expect(refusal(of: twice.bytes) == .duplicateKey("a"))
        let composed = BinaryDocument(
            [0xD2, 1, 2, 1, 1],
            [0x61, 0, 0xE9],
            [0x62, 0, 0x65, 0x03, 0x01],
        )
        #expect(refusal(of: composed.bytes) == .duplicateKey("\u{E9}"))
    }

    @Test func `another version and an archive of nothing are refused`() {
        var bytes = BinaryDocument([0x09]).bytes
        bytes[7] = UInt8(ascii: "1")
        #expect(refusal(of: bytes) != nil)
        #expect(refusal(of: Array("bplist00".utf8)) != nil)
        #expect(refusal(of: BinaryDocument(objects: []).bytes) != nil)
    }

    @Test func `bytes after the trailer are refused`() {
        #expect(refusal(of: BinaryDocument([0x09]).bytes + [0]) != nil)
    }
}
