import Foundation
import PropertyLists
import Testing

@Suite struct BinaryReadingTests {
    @Test func `integers of every width are read`() throws {
        #expect(try value([0x10, 0xFF]) == .integer(255))
        #expect(try value([0x11, 0xFF, 0xFE]) == .integer(65_534))
        #expect(try value([0x12, 0xFF, 0, 0, 0]) == .integer(0xFF00_0000))
        #expect(try value([0x13] + [UInt8](repeating: 0xFF, count: 8)) == .integer(-1))
        let wide = [0x14] + [UInt8](repeating: 0, count: 8)
        #expect(try value(wide + [UInt8](repeating: 0xFF, count: 8)) == .unsigned(.max))
        #expect(try value(wide + [0, 0, 0, 0, 0, 0, 0, 7]) == .integer(7))
    }

    @Test func `reals, booleans, dates and UIDs are read`() throws {
        #expect(try value([0x22, 0x3F, 0xC0, 0, 0]) == .real(1.5))
        #expect(try value([0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]) == .real(1.5))
        #expect(try value([0x08]) == .boolean(false))
        #expect(try value([0x09]) == .boolean(true))
        let date = [0x33] + BinaryDocument.bigEndian((-0.5).bitPattern)
        #expect(try value(date) == .date(Date(timeIntervalSinceReferenceDate: -0.5)))
        #expect(try value([0x80, 9]) == .uid(9))
        #expect(try value([0x82, 1, 0, 0]) == .uid(65_536))
    }

    @Test func `strings and data are read, with short and with long counts`() throws {
        #expect(try value([0x53, 0x61, 0x62, 0x63]) == .string("abc"))
        #expect(try value([0x5F, 0x10, 3, 0x61, 0x62, 0x63]) == .string("abc"))
        #expect(try value([0x62, 0xD8, 0x3D, 0xDE, 0x80]) == .string("🚀"))
        #expect(try value([0x42, 0, 0xFF]) == .data([0, 0xFF]))
        #expect(try value([0x4F, 0x13, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2]) == .data([1, 2]))
    }

    @Test func `containers are read, and may share what they hold`() throws {
        let list = try value([0xA3, 1, 2, 1], [0x51, 0x61], [0xD1, 1, 1])
        let letter = PropertyList.string("a")
        #expect(list == .array([letter, .dictionary(["a": letter]), letter]))
    }

    @Test(arguments: [UInt8(1), 3, 8])
    func `offsets and references of any width are read`(width: UInt8) throws {
        let reference = Array(BinaryDocument.bigEndian(1).suffix(Int(width)))
        var document = BinaryDocument([0xA1] + reference, [0x09])
        document.offsetSize = width
        document.referenceSize = width
        #expect(try PropertyList(reading: document.bytes) == .array([.boolean(true)]))
    }

    @Test func `a slice is read as an array is`() throws {
        let bytes = [0, 0] + BinaryDocument([0x09]).bytes + [0]
        #expect(try PropertyList(reading: bytes[2..<bytes.count - 1]) == .boolean(true))
    }
}
