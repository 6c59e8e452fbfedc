import Cryptography
import Foundation
import Releases
@testable import Store
import StoreFixtures
import TestSupport
import Testing

/// Copies of whole stores, between all kinds of back ends.
struct StoreCopyTests {
    private static func fill(_ store: OTAStore, _ builds: Int = 3) throws {
        for number in 1...builds {
            var release = StoredRelease()
            release.build = "\(number)"
            release.contents = "build \(number)"
            release.date += Double(number)
            _ = try release.publish(into: store)
        }
    }

    /// The content of a store, independent of the order of its lists.
    private static func contents(_ backend: any Backend) throws -> [String: String] {
        var contents: [String: String] = [:]
        for name in try backend.documents() where name.components.first != "uploads" {
            contents[name.path] = try backend.read(name).map {
                SHA256Digest(of: $0.bytes).description
            }
        }
        for blob in try backend.blobs() {
            try OTAStore(backend: backend).check(blob)
            contents[blob.description] = "whole"
        }
        return contents
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a copy has the same documents, journals and blobs, there and back`(
        kind: StorePlace.Kind
    ) async throws {
        try await withTemporaryFolder { folder in
            let place = try await StorePlace(kind, in: folder)
            let source = try OTAStore.openOrCreate(at: folder.path() + "source", now: .now)
            try Self.fill(source)
            let target = try place.backend()
            let summary = try StoreCopy.run(from: source.backend, to: target)
            let before = try Self.contents(source.backend)
            #expect(try Self.contents(target) == before)
            let blobs = try source.backend.blobs().count
            #expect(summary.blobs == blobs && summary.blobsThere == 0)
            #expect(try OTAStore.open(on: place.backend()).verify().problems == [])
            #expect(throws: StoreFailure.notEmpty(path: target.location)) {
                try StoreCopy.run(from: source.backend, to: target)
            }
            let inside = try DirectoryBackend(making: source.backend.location + "/copy")
            #expect(throws: StoreFailure.insideSource(path: inside.location)) {
                try StoreCopy.run(from: source.backend, to: inside)
            }
            try FileManager.default.removeItem(atPath: inside.location)
            let back = try DirectoryBackend(making: folder.path() + "back")
            _ = try StoreCopy.run(from: place.backend(), to: back)
            #expect(try Self.contents(back) == before)
            #expect(try OTAStore.open(on: back).verify().problems == [])
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `what changes in the source meanwhile is copied too`(kind: StorePlace.Kind) async throws {
        try await withTemporaryFolder { folder in
            let place = try await StorePlace(kind, in: folder)
            let source = try OTAStore.openOrCreate(at: folder.path() + "source", now: .now)
            try Self.fill(source)
            let target = try place.backend()
            var hasPublished = false
            _ = try StoreCopy.run(from: source.backend, to: target) { done, _ in
                guard done == 1, !hasPublished else { return }
                hasPublished = true
                #expect(throws: Never.self) { try Self.fill(source, 5) }
            }
            #expect(hasPublished)
            #expect(try Self.contents(target) == Self.contents(source.backend))
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a copy that was interrupted is no store, and goes on`(kind: StorePlace.Kind) async throws
    {
        try await withTemporaryFolder { folder in
            let place = try await StorePlace(kind, in: folder)
            let source = try OTAStore.openOrCreate(at: folder.path() + "source", now: .now)
            try Self.fill(source)
            let clone = try DirectoryBackend(making: folder.path() + "clone")
            _ = try StoreCopy.run(from: source.backend, to: clone)
            // The second blob cannot be read, as after a disk failure.
            let blobs = try source.backend.blobs()
            let path = "\(folder.path())source/\(StorePlace.path(of: blobs[1]))"
            let bytes = try #require(FileManager.default.contents(atPath: path))
            try Data("rotten".utf8).write(to: URL(filePath: path))
            #expect(throws: StoreFailure.self) {
                try StoreCopy.run(from: source.backend, to: place.backend())
            }
            let from = source.backend.location
            let unfinished = StoreFailure.unfinishedCopy(path: place.root, source: from)
            #expect(throws: unfinished) { try place.open() }
            #expect(throws: unfinished) { try place.openOrCreate() }
            #expect(unfinished.fix.contains("`ota store copy \(from) \(place.root)`"))
            // Another store, and a copy of the same store, which may have changed since.
            let other = try OTAStore.openOrCreate(at: folder.path() + "other", now: .now)
            for further in [other.backend, clone] {
                #expect(throws: StoreFailure.otherCopy(path: place.root, source: from)) {
                    try StoreCopy.run(from: further, to: place.backend())
                }
            }
            try bytes.write(to: URL(filePath: path))
            let summary = try StoreCopy.run(from: source.backend, to: place.backend())
            #expect(summary.blobsThere == 1 && summary.blobs == blobs.count)
            #expect(try Self.contents(place.backend()) == Self.contents(source.backend))
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a mark that a whole copy was left with goes, and what was done since stays`(
        kind: StorePlace.Kind
    ) async throws {
        try await withTemporaryFolder { folder in
            let place = try await StorePlace(kind, in: folder)
            let source = try OTAStore.openOrCreate(at: folder.path() + "source", now: .now)
            try Self.fill(source)
            _ = try StoreCopy.run(from: source.backend, to: place.backend())
            // The state if the copy had ended just before its last step.
            let instance = try source.settings().instance
            let mark = Array(#"{"instance":"\#(instance)","schema":1}"#.utf8)
            func leaveMark() throws {
                _ = try place.backend().write(mark, to: StoreCopy.markName, if: .absent)
            }
            try leaveMark()
            try Self.fill(place.open(), 5)
            let then = try place.open().releaseIdentifiers(of: StoredRelease().identifier)
            let summary = try StoreCopy.run(from: source.backend, to: place.backend())
            #expect(summary.blobs == summary.blobsThere && summary.blobs > 0)
            let now = try place.open().releaseIdentifiers(of: StoredRelease().identifier)
            #expect(now == then && now.count == 5)
            #expect(try place.backend().read(StoreCopy.markName) == nil)
            try leaveMark()
            #expect(try place.open().collect().leftovers >= 1)
            #expect(try place.backend().read(StoreCopy.markName) == nil)
            #expect(try place.open().verify().problems == [])
        }
    }
}
