import Foundation
import TestSupport
import Testing

@testable import Store

@Suite struct StoredDateTests {
    @Test func `a date reads as Foundation reads it`() throws {
        var generator = SeededGenerator(seed: 20_261_121)
        for _ in 0..<2000 {
            let seconds = Int.random(in: -12_200_000_000...250_000_000_000, using: &generator)
            let date = Date(timeIntervalSince1970: TimeInterval(seconds))
            let text = date.formatted(.iso8601)
            #expect(StoredDate.date(from: text) == date, "\(text)")
        }
    }

    @Test(arguments: [
        "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01 00:00:00Z",
        "2026-01-01T00:00:00", "1582-10-04T00:00:00Z", "2026-01-01T00:00:00+01:00",
        "+026-01-01T00:00:00Z", "",
    ])
    func `anything else is no date of ours`(text: String) {
        #expect(StoredDate.date(from: text) == nil)
    }
}
