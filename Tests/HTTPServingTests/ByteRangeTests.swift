import HTTPServing
import Testing

struct ByteRangeTests {
    @Test(arguments: [
        "bytes=", "bytes=-", "bytes=a-b", "bytes=1-2,3-4", "bytes=2-1", "items=0-1", "bytes=0x1-2",
        "bytes=+1-2", "bytes=1--2", "bytes 0-1", "",
        "bytes=" + String(repeating: "1", count: 100),
    ])
    func `what is not one range is ignored`(field: String) {
        #expect(ByteRange(field, size: 1000) == .whole)
    }

    @Test func `a range of nothing cannot be satisfied`() {
        #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable)
        #expect(ByteRange("bytes=-0", size: 10) == .unsatisfiable)
        #expect(ByteRange("bytes=10-11", size: 10) == .unsatisfiable)
        #expect(ByteRange("bytes=1234567890123456789012-", size: 10) == .unsatisfiable)
        #expect(ByteRange("bytes=4-18446744073709551616", size: 10) == .part(4..<10))
        #expect(ByteRange("bytes=-18446744073709551616", size: 10) == .part(0..<10))
        #expect(ByteRange(nil, size: 10) == .whole)
        #expect(ByteRange("Bytes=9-9", size: 10) == .part(9..<10))
    }
}
