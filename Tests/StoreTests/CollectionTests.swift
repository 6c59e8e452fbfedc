import Cryptography
import Foundation
@testable import ObjectStore
import StoreFixtures
import Synchronization
import TestSupport
import Testing

@testable import Store

/// Garbage collection in a bucket, while other servers put blobs.
@Suite(.enabled(if: StorePlace.Kind.allCases.contains(.object)), .timeLimit(.minutes(5)))
struct CollectionTests {
    @Test
    func `no document refers to what is deleted between the look at its age and its deletion`()
        async throws
    {
        try await withPlace(.object) { place in
            let first = try #require(try place.openOrCreate().backend as? ObjectBackend)
            let line = FaultyLine(try ObjectPlace.connection.get())
            let collector = try OTAStore.open(on: ObjectPlace.backend(like: first, through: line))
            let other = try OTAStore.open(on: ObjectPlace.backend(like: first, through: nil))
            let bytes = Array("an icon that many builds have".utf8)
            let digest = try other.put(bytes)
            let name = try DocumentName("apps", "com.example.forks", "app.json")
            let document = Array(#"{"icon": "\#(digest)"}"#.utf8)
            let work = OnceInBackground {
                _ = try other.put(bytes)
                _ = try other.backend.write(document, to: name, if: .absent)
            }
            line.change {
                $0.beforeDeletion = {
                    // The same bytes are put again, and the document that refers to them waits for the
                    // deletion.
                    if work.begin() { Thread.sleep(forTimeInterval: 1) }
                }
            }
            #expect(try collector.collect(olderThan: 0).blobs == 1)
            #expect(throws: StoreFailure.missingBlob(digest)) { try work.wait() }
            #expect(try other.backend.read(name) == nil)
            // The caller tries again after this error.
            _ = try other.put(bytes)
            _ = try other.backend.write(document, to: name, if: .absent)
            #expect(try other.backend.facts(of: digest) != nil)
        }
    }

    @Test func `a document waits for no deletion where nobody deletes, and asks nothing`()
        async throws
    {
        try await withPlace(.object) { place in
            let first = try #require(try place.openOrCreate().backend as? ObjectBackend)
            let line = FaultyLine(try ObjectPlace.connection.get())
            let store = try OTAStore.open(on: ObjectPlace.backend(like: first, through: line))
            func requests(_ bytes: [UInt8], _ name: String) throws -> Int {
                let name = try DocumentName("stages", name)
                let before = line.sent
                _ = try store.backend.write(bytes, to: name, if: .absent)
                return line.sent - before
            }
            _ = try requests(Array("{}".utf8), "before.json")
            let blobs = try (1...5).map { try store.put([$0]) }
            let plain = try requests(Array("{}".utf8), "plain.json")
            #expect(try requests(Array("\(blobs)".utf8), "first.json") == plain)
            #expect(try requests(Array("\(blobs)".utf8), "second.json") == plain)
        }
    }

    @Test func `of two that collect, each deletes for itself`() async throws {
        try await withPlace(.object) { place in
            let stores = try (0..<2).map { _ in try place.openOrCreate() }
            for number in 1...6 { _ = try stores[0].put([UInt8(number)]) }
            let deleted = try await withThrowingTaskGroup(of: Int.self) { group in
                for store in stores {
                    group.addTask { try store.collect(olderThan: 0).blobs }
                }
                return try await group.reduce(0, +)
            }
            #expect(deleted == 6)
            #expect(try stores[0].backend.blobs() == [])
        }
    }

    /// Something that runs once, on a thread of its own.
    private final class OnceInBackground: Sendable {
        private let body: @Sendable () throws -> Void
        private let state = Mutex<(hasBegun: Bool, failure: (any Error)?)>((false, nil))
        private let end = DispatchSemaphore(value: 0)

        init(_ body: @escaping @Sendable () throws -> Void) {
            self.body = body
        }

        /// - Returns: false if it had begun before.
        func begin() -> Bool {
            let isFirst = state.withLock { state in
                defer { state.hasBegun = true }
                return !state.hasBegun
            }
            guard isFirst else { return false }
            Thread.detachNewThread { [self] in
                do { try body() } catch { state.withLock { $0.failure = error } }
                end.signal()
            }
            return true
        }

        func wait() throws {
            end.wait()
            if let failure = state.withLock(\.failure) { throw failure }
        }
    }
}
