import Bytes
import Testing

/// The first occurrence of bytes in others.
struct ByteSearchTests {
    @Test(arguments: [
        ("", "", 0), ("abc", "", 0), ("abc", "a", 0), ("abc", "c", 2), ("abc", "bc", 1),
        ("abc", "abcd", nil), ("", "a", nil), ("aab", "ab", 1), ("aaaaab", "aaab", 2),
        ("abcabd", "abd", 3), ("abcab", "abd", nil), ("/x/é/install/", "/install/", 5),
    ])
    func `a part is found where it comes first`(text: String, part: String, offset: Int?) {
        let range = offset.map { $0..<$0 + part.utf8.count }
        let bytes = Array(text.utf8)
        #expect(bytes.firstRange(ofBytes: part.utf8) == range)
        #expect(ArraySlice(bytes).firstRange(ofBytes: Array(part.utf8)) == range)
        #expect(bytes.lazy.map(\.self).firstRange(ofBytes: part.utf8) == range, "not in one piece")
        let found = text.utf8.firstRange(ofBytes: part.utf8)
        #expect(found.map { text.utf8[..<$0.lowerBound].count } == offset)
        #expect(text.containsBytes(of: part) == (offset != nil))
    }

    @Test func `a slice is searched by its own places`() {
        let bytes = Array("abcabc".utf8)
        #expect(bytes[2...].firstRange(ofBytes: "ab".utf8) == 3..<5)
        #expect(bytes[4...].firstRange(ofBytes: "ab".utf8) == nil)
    }
}
