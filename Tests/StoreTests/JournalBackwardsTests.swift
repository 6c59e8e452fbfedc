import Foundation
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

@Suite struct JournalBackwardsTests {
    @Test(arguments: StorePlace.Kind.allCases)
    func `pages of the activity follow each other without a gap`(
        kind: StorePlace.Kind
    ) async throws {
        try await withTemporaryFolder { folder in
            let store = try await StorePlace(kind, in: folder).openOrCreate()
            // Two months, each with more lines than are read at a time.
            for number in 0..<400 {
                let month = Date(
                    timeIntervalSince1970: number < 200 ? 1_790_000_000 : 1_793_000_000
                )
                let activity = Activity(
                    date: month.addingTimeInterval(Double(number)),
                    actor: "Ana",
                    event: .published,
                    app: number.isMultiple(of: 7) ? "com.example.seven" : "com.example.other",
                    subject: "\(number)",
                    detail: String(repeating: "x", count: number),
                )
                try store.record(activity)
            }
            var seen: [String] = []
            var place: ActivityCursor?
            repeat {
                let page = try store.activityListing(before: place, count: 30)
                #expect(page.failures.isEmpty && page.activities.count <= 30)
                seen += page.activities.map(\.subject)
                place = page.older
            } while place != nil
            #expect(seen == (0..<400).reversed().map { "\($0)" })

            let sevens = try store.activityListing(count: 10) { $0 == "com.example.seven" }
            #expect(sevens.activities.map(\.subject) == (48...57).reversed().map { "\($0 * 7)" })
            let short = try store.activityListing(count: 10, mostLines: 20) {
                $0 == "com.example.seven"
            }
            #expect(short.activities.count < 10 && short.older != nil)
        }
    }
}
