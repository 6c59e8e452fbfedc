import Foundation
import Pages
import Testing

/// The list of apps if there are more than a phone should load.
struct LongStartTests {
    @Test func `a page lists fifty apps, and says how many the search finds besides`() throws {
        let pages = ExamplePages()
        let twelve = (10..<22).map { " \($0)!" }
        let long = try pages.html(pages.startOfMany(endings: twelve))
        #expect(long.components(separatedBy: "<li>").count - 1 == 50)
        #expect(long.contains("10 more apps: search to find them."))
        // A short list is complete, and a long one can be searched.
        let short = try pages.html(pages.startOfMany(endings: Array(twelve.prefix(10))))
        #expect(short.components(separatedBy: "<li>").count - 1 == 50)
        #expect(!short.contains("more app"))
        let found = try pages.html(pages.startOfMany(matching: "kino 21", endings: twelve))
        #expect(found.components(separatedBy: "<li>").count - 1 == 1)
        #expect(found.contains("Kino 21!"))
    }
}
