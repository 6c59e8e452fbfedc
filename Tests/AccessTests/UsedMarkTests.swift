import Access
import Foundation
import Testing

struct UsedMarkTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `a mark is used once, and a link's makes room for no other`() {
        var marks = UsedMarks()
        let link = UsedMarks.lasting + "a"
        #expect(marks.use(link, until: now + 10, at: now))
        for number in 0..<4097 { #expect(marks.use("\(number)", until: now + 600, at: now)) }
        #expect(!marks.use(link, until: now + 10, at: now))
        #expect(!marks.use("4096", until: now + 600, at: now))
        // The one that ended first made room for the last.
        #expect(marks.use(link, until: now + 10, at: now + 11), "it is over by itself")
    }
}
