import Foundation
@testable import ObjectStore
import StoreFixtures
import TestSupport
import Testing

@testable import Store

/// Uploads in progress, of several servers on one bucket.
@Suite(.enabled(if: StorePlace.Kind.allCases.contains(.object)), .timeLimit(.minutes(5)))
struct UploadPlaceTests {
    @Test func `only the server that has an upload finds it when it starts`() async throws {
        try await withPlace(.object) { place in
            let first = try #require(try place.openOrCreate().backend as? ObjectBackend)
            func server(_ name: String) throws -> OTAStore {
                let spool = place.folder + name
                try FileManager.default.createDirectory(
                    atPath: spool,
                    withIntermediateDirectories: true,
                )
                return try OTAStore.open(
                    on: ObjectPlace.backend(like: first, through: nil, spool: spool)
                )
            }
            let own = try server("own")
            let record = try DocumentName.uploads.appending("0123.json")
            _ = try own.backend.write(Array("{}".utf8), to: record, if: .absent)

            let other = try server("other")
            #expect(try other.backend.names(in: .uploads) == [])
            #expect(try other.uploads().unreadable == [])
            #expect(try other.backend.read(record) == nil)
            #expect(try other.backend.stamp(of: record) == nil)
            // Nor does its own record with the same name replace the first server's.
            _ = try other.backend.write(Array("{\"a\": 1}".utf8), to: record, if: .absent)

            let restarted = try server("own")
            #expect(try restarted.uploads().unreadable == ["0123.json"])
            let document = try #require(try restarted.backend.read(record))
            #expect(document.bytes == Array("{}".utf8))
            try restarted.backend.delete(record, at: document.version)
            #expect(try restarted.backend.read(record) == nil)
            #expect(try other.backend.read(record) != nil)
        }
    }
}
