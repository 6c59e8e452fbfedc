import Access
import Foundation
import Testing

struct UsedMarkTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `a mark is used once, and a link's makes room for no other`() {
        var marks = UsedMarks()
        let link = UsedMarks.lasting + "a"
        let used = { (mark: String, end: Double, age: Double) in
            !marks.use(mark, until: now + end, at: now + age)
        }
        #expect(!used(link, 10, 0))
        let others = (0..<4097).map { used("\($0)", 600, 0) }
        #expect(!others.contains(true))
        #expect(used(link, 10, 0) && used("4096", 600, 0))
        #expect(!used(link, 10, 11), "it is over by itself")
    }
}
