import Foundation
import Identifiers
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

@Suite struct DerivedValueTests {
    @Test func `a list of apps is read once, and again after another process changed one`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let path = folder.path() + "store"
            let writer = try OTAStore.openOrCreate(at: path, now: .now)
            _ = try StoredRelease().publish(into: writer)
            let counting = CountingBackend(try DirectoryBackend(root: path))
            let reader = OTAStore(backend: counting, interval: .milliseconds(20))
            let before = try #require(try reader.apps().first)
            let read = counting.read.count
            for _ in 0..<10 { #expect(try reader.apps() == [before]) }
            #expect(counting.read.count == read)

            for title in ["One", "Two", "Three"] {
                try writer.changeApp(before.bundleIdentifier) { $0.title = title }
                try await Task.sleep(for: .milliseconds(40))
                #expect(try reader.apps().map(\.title) == [title])
                #expect(try reader.app(slug: before.slug)?.title == title)
            }
        }
    }

    @Test func `a value is kept though a folder that it is made of is not there yet`() async throws
    {
        try await withTemporaryFolder { folder in
            let path = folder.path() + "store"
            let writer = try OTAStore.openOrCreate(at: path, now: .now)
            let store = OTAStore(
                backend: try DirectoryBackend(root: path),
                interval: .milliseconds(20),
            )
            var made = 0
            func teams() throws -> [Team] {
                try store.derived("teams", of: ["teams", "apps"]) { () throws(StoreFailure) in
                    made += 1
                    return try store.teams()
                }
            }
            for _ in 0..<5 { #expect(try teams().isEmpty) }
            #expect(made == 1)
            _ = try StoredRelease().publish(into: writer)
            try await Task.sleep(for: .milliseconds(40))
            for _ in 0..<5 { #expect(try teams().isEmpty) }
            #expect(made == 2)
        }
    }
}
