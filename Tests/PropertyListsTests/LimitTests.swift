import PropertyLists
import TestSupport
import Testing

@Suite struct LimitTests {
    @Test(arguments: [7, 12, 60])
    func `a tower of shared objects is refused at once`(levels: Int) {
        let tower = BinaryDocument.tower(levels: levels)
        let taken = processorTime {
            let enrolment = PropertyList.Limits.enrolment
            #expect(
                refusal(of: tower.bytes, limits: enrolment)
                    == (levels > 32 ? .tooDeep(limit: 32) : .tooManyObjects(limit: 2_000))
            )
            #expect(refusal(of: tower.bytes) == .tooManyObjects(limit: 100_000))
        }
        #expect(taken < .seconds(1))
    }

    @Test func `a string shared by many is refused before it is copied too often`() {
        let long = [0x5F, 0x12, 0, 0x10, 0, 0] + [UInt8](repeating: 0x61, count: 1 << 20)
        let many = [0xAF, 0x11, 0x27, 0x10] + [UInt8](repeating: 1, count: 10_000)
        var document = BinaryDocument(many, long)
        document.offsetSize = 4
        let taken = processorTime {
            #expect(refusal(of: document.bytes) == .tooMuchContent(limit: 8 << 20))
        }
        #expect(taken < .seconds(1))
    }

    @Test func `an array that claims many shared elements takes no memory for them`() {
        let empties = [0xAF, 0x12, 0, 0x0F, 0, 0] + [UInt8](repeating: 1, count: 0xF_0000)
        var document = BinaryDocument(empties, [0xA0])
        document.offsetSize = 4
        #expect(refusal(of: document.bytes) == .tooManyObjects(limit: 100_000))
    }

    @Test func `a container that contains itself is refused`() {
        #expect(refusal(of: BinaryDocument([0xA1, 0]).bytes) == .cycle)
        #expect(refusal(of: BinaryDocument([0xD1, 1, 0], [0x51, 0x61]).bytes) == .cycle)
        #expect(refusal(of: BinaryDocument([0xA1, 1], [0xA1, 2], [0xA1, 1]).bytes) == .cycle)
    }

    @Test func `nesting is read up to the limit and refused beyond it`() {
        func arrays(_ count: Int) -> [UInt8] {
            BinaryDocument(
                objects: (0..<count).map { [0xA1, UInt8($0 + 1)] } + [[0x09]]
            ).bytes
        }
        #expect(refusal(of: arrays(64)) == nil)
        #expect(refusal(of: arrays(65)) == .tooDeep(limit: 64))
    }

    @Test func `XML nested a hundred thousand times is refused`() {
        let open = String(repeating: "<array>", count: 100_000)
        let close = String(repeating: "</array>", count: 100_000)
        #expect(refusal(of: document(open + close)) == .tooDeep(limit: 64))
        let dictionaries = String(repeating: "<dict><key>a</key>", count: 100_000)
        #expect(refusal(of: document(dictionaries)) == .tooDeep(limit: 64))
    }

    @Test func `XML is held to the same counts of objects, content and bytes`() {
        var limits = PropertyList.Limits(bytes: 1_000, depth: 1, objects: 5, content: 10)
        let two = document("<dict><key>a</key><string>b</string><key>c</key><true/></dict>")
        #expect(refusal(of: two, limits: limits) == nil)
        limits.objects = 4
        #expect(refusal(of: two, limits: limits) == .tooManyObjects(limit: 4))
        limits.objects = 5
        limits.content = 2
        #expect(refusal(of: two, limits: limits) == .tooMuchContent(limit: 2))
        #expect(
            refusal(of: document("<data>AAAAAAAA</data>"), limits: limits)
                == .tooMuchContent(limit: 2)
        )
        limits.bytes = 100
        #expect(refusal(of: two, limits: limits) == .tooLarge(limit: 100))
        limits.bytes = 1_000
        limits.depth = 0
        #expect(refusal(of: two, limits: limits) == .tooDeep(limit: 0))
    }
}
