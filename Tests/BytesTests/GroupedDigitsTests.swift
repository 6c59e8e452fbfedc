import Bytes
import Testing

struct GroupedDigitsTests {
    @Test(arguments: [
        (0, "0"), (999, "999"), (9_999, "9999"), (10_000, "10,000"), (123_456, "123,456"),
        (1_000_000, "1,000,000"), (-9_999, "-9999"), (-10_000, "-10,000"),
        (Int.max, "9,223,372,036,854,775,807"), (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func `from five digits on a number has a separator between thousands`(
        number: Int,
        text: String,
    ) {
        #expect(number.grouped == text)
    }

    @Test func `a language has its own separator`() {
        #expect(1_234_567.grouped(by: "\u{202f}") == "1\u{202f}234\u{202f}567")
        #expect(UInt64.max.grouped(by: ".") == "18.446.744.073.709.551.615")
    }
}
