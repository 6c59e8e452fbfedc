import Foundation
import Releases
import StoreFixtures
import Synchronization
import Testing

@testable import Store

/// Work under a lease that is lost without its holder's knowledge.
struct FencedStoreTests {
    private final class Lease: WorkLease {
        private let lost = Mutex(false)

        var isHeld: Bool { lost.withLock { !$0 } }

        func lose() { lost.withLock { $0 = true } }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `what has lost its lease publishes nothing and changes nothing`(
        kind: StorePlace.Kind
    ) async throws {
        try await withPlace(kind) { place in
            let store = try place.openOrCreate()
            let lease = Lease()
            let fenced = store.fenced(by: lease)
            let first = try StoredRelease().publish(into: fenced)
            #expect(first.isCreated)

            var next = StoredRelease()
            next.build = "2"
            next.contents = "another IPA"
            next.date += 60
            let report = try next.report
            let release = try next.release(report: report, into: fenced)
            lease.lose()
            #expect(throws: StoreFailure.leaseLost) {
                try fenced.publish(release, report: report)
            }
            #expect(throws: StoreFailure.leaseLost) {
                try fenced.changeApp(first.release.bundleIdentifier) { $0.title = "Knives" }
            }
            #expect(throws: StoreFailure.leaseLost) {
                try fenced.record(release.activityOfTests)
            }
            // Another holder sees the same state, and continues.
            let other = try place.open()
            #expect(try other.releases(of: first.release.bundleIdentifier).count == 1)
            #expect(try other.app(first.release.bundleIdentifier)?.title == "Forks")
            #expect(try other.publish(release, report: report).isCreated)
        }
    }
}

extension Release {
    fileprivate var activityOfTests: Activity {
        Activity(date: published, actor: "ada", event: .published, subject: identifier.rawValue)
    }
}
