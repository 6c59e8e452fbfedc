import PropertyLists
import Testing

@Suite struct PropertyListTests {
    @Test func `accessors answer only for their own kind`() {
        let list = PropertyList.dictionary(["name": .string("Ota"), "count": .integer(3)])
        #expect(list["name"]?.string == "Ota")
        #expect(list["count"]?.integer == 3)
        #expect(list["name"]?.integer == nil)
        #expect(list["absent"] == nil)
        let kelvins = PropertyList.dictionary(["W\u{212A}Application": .boolean(true)])
        #expect(kelvins["WKApplication"] == nil)
        #expect(kelvins["W\u{212A}Application"]?.boolean == true)
        #expect(PropertyList.array([.string("a"), .string("b")]).strings == ["a", "b"])
        #expect(PropertyList.array([.string("a"), .integer(1)]).strings == nil)
    }
}
