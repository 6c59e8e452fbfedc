import Bundles
import Testing

struct ApplicationIdentifierTests {
    @Test func `an application identifier grants what TN3125 says`() {
        #expect(ApplicationIdentifier("T.com.a").grants("com.a"))
        #expect(!ApplicationIdentifier("T.com.a").grants("com.a.b"))
        #expect(ApplicationIdentifier("T.*").grants("com.a"))
        #expect(ApplicationIdentifier("T.com.a.*").grants("com.a.b.c"))
        #expect(!ApplicationIdentifier("T.com.a.*").grants("com.a"))
        #expect(!ApplicationIdentifier("T").grants("com.a"))
        #expect(ApplicationIdentifier("T.com.a").prefix == "T")
        // Swift strings consider U+212A (the kelvin sign) equal to K, and a combining mark merges with the
        // dot.
        #expect(!ApplicationIdentifier("T.com.K").grants("com.\u{212A}"))
        #expect(!ApplicationIdentifier("T.com.K").covers(ApplicationIdentifier("T.com.\u{212A}")))
        #expect(ApplicationIdentifier("T.com.*").grants("com.\u{301}"))
        #expect(ApplicationIdentifier("T.*").covers(ApplicationIdentifier("T.\u{301}")))
    }
}
