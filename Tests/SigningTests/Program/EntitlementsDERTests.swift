import PropertyLists
import Signing
import Testing

@Suite struct EntitlementsDERTests {
    private static let numbers: [(Int64, [UInt8])] = [
        (0, [0x02, 1, 0]), (127, [0x02, 1, 0x7f]), (128, [0x02, 2, 0, 0x80]),
        (-1, [0x02, 1, 0xff]), (-128, [0x02, 1, 0x80]), (-129, [0x02, 2, 0xff, 0x7f]),
        (.min, [0x02, 8, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        (.max, [0x02, 8, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    ]

    @Test(arguments: numbers)
    func `whole numbers take as few octets as hold them`(number: Int64, bytes: [UInt8]) throws {
        let encoded = try EntitlementsDER.encoding(.dictionary(["k": .integer(number)]))
        #expect(Array(encoded.suffix(bytes.count)) == bytes)
    }

    @Test func `entries are sorted by the bytes of their keys`() throws {
        let list = PropertyList.dictionary([
            "b": .boolean(true), "B": .boolean(true), "aa": .boolean(true), "a": .boolean(true),
            "é": .boolean(true),
        ])
        let encoded = try EntitlementsDER.encoding(list)
        let keys = ["B", "a", "aa", "b", "é"].map { Array($0.utf8) }
        let places = keys.compactMap { key in
            encoded.indices.first { place in
                encoded[place...].starts(with: [0x0c, UInt8(key.count)] + key + [0x01])
            }
        }
        #expect(places.count == keys.count)
        #expect(places == places.sorted())
    }
}
