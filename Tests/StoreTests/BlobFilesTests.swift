import Bytes
import Cryptography
import Dispatch
import Foundation
@testable import ObjectStore
import Store
import Synchronization
import TestSupport
import Testing

/// Local files from which blobs of a bucket are served.
@Suite(.timeLimit(.minutes(5)))
struct BlobFilesTests {
    /// The source of blobs; counts requests, and delays them if a test says so.
    private final class Origin: Sendable {
        private let blobs = Mutex<[SHA256Digest: [UInt8]]>([:])
        private let opened = Mutex<[SHA256Digest]>([])

        var fetched: [SHA256Digest] { opened.withLock { $0 } }

        func put(_ text: String, as name: String? = nil) -> SHA256Digest {
            let digest = SHA256Digest(of: Array((name ?? text).utf8))
            blobs.withLock { $0[digest] = Array(text.utf8) }
            return digest
        }

        func open(_ blob: SHA256Digest, after wait: DispatchSemaphore? = nil) -> BlobFiles.Opening {
            { [self] () throws(StoreFailure) in
                opened.withLock { $0.append(blob) }
                wait?.wait()
                guard let bytes = blobs.withLock({ $0[blob] }) else { throw .missingBlob(blob) }
                return StoredBlob(digest: blob, source: MemorySource(bytes), path: nil)
            }
        }
    }

    /// A clock that a test advances.
    private final class Clock: Sendable {
        private let date = Mutex(Date(timeIntervalSince1970: 1_790_000_000))
        var now: @Sendable () -> Date { { [self] in date.withLock { $0 } } }
        func pass(_ seconds: Double) { date.withLock { $0 += seconds } }
    }

    private final class Counter: Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    private static func path(
        _ blob: SHA256Digest,
        in files: BlobFiles,
        from origin: Origin,
        after wait: DispatchSemaphore? = nil,
    ) async throws -> String {
        try await withCheckedContinuation { continuation in
            files.fetch(blob, origin.open(blob, after: wait)) { continuation.resume(returning: $0) }
        }.get()
    }

    private static func names(in folder: URL) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path() + "cache"))
    }

    @Test func `however many wait for a blob, it is fetched once, and no thread waits`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let (origin, clock, gate) = (Origin(), Clock(), DispatchSemaphore(value: 0))
            let blob = origin.put("a build")
            let files = BlobFiles(in: folder.path() + "cache", limit: 100, now: clock.now)
            let waiting = Counter()
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<300 {
                    group.addTask {
                        waiting.add()
                        return try await Self.path(blob, in: files, from: origin, after: gate)
                    }
                }
                // If each waiting task blocked a thread of the pool, this one would never run.
                group.addTask {
                    while waiting.count < 300 { await Task.yield() }
                    gate.signal()
                    return ""
                }
                for try await path in group where !path.isEmpty {
                    #expect(FileManager.default.contents(atPath: path) == Data("a build".utf8))
                }
            }
            #expect(origin.fetched == [blob])
            let again = try await Self.path(blob, in: files, from: origin)
            #expect(again.hasSuffix("/\(blob)"))
            #expect(origin.fetched == [blob])
        }
    }

    @Test func `what was used longest ago goes first, and that is known after a restart`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let (origin, clock) = (Origin(), Clock())
            let blobs = ["first", "other", "third", "forth"].map { origin.put($0) }
            let cache = folder.path() + "cache"
            var files = BlobFiles(in: cache, limit: 10, now: clock.now)
            for blob in blobs.prefix(2) {
                _ = try await Self.path(blob, in: files, from: origin)
                clock.pass(1)
            }
            #expect(files.pathAtHand(blobs[0]) != nil)
            clock.pass(100)
            _ = try await Self.path(blobs[2], in: files, from: origin)
            #expect(try Self.names(in: folder) == [blobs[0].description, blobs[2].description])
            #expect(files.pathAtHand(blobs[1]) == nil)
            clock.pass(100)
            #expect(files.pathAtHand(blobs[0]) != nil)

            files = BlobFiles(in: cache, limit: 10, now: clock.now)
            #expect(files.pathAtHand(blobs[0]) == nil, "it was not compared in this process")
            clock.pass(100)
            _ = try await Self.path(blobs[3], in: files, from: origin)
            #expect(try Self.names(in: folder) == [blobs[0].description, blobs[3].description])
            let fetched = origin.fetched.count
            _ = try await Self.path(blobs[0], in: files, from: origin)
            #expect(origin.fetched.count == fetched, "it was there, and its bytes are right")
            files.limit(to: 5)
            #expect(try Self.names(in: folder).count == 1)
        }
    }

    @Test func `a file that an earlier process left is compared before it is given out`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let (origin, clock) = (Origin(), Clock())
            let blob = origin.put("a build")
            let cache = folder.path() + "cache"
            let files = BlobFiles(in: cache, limit: 100, now: clock.now)
            try FileManager.default.createDirectory(
                atPath: cache,
                withIntermediateDirectories: true,
            )
            try Data("a bUild".utf8).write(to: URL(filePath: "\(cache)/\(blob)"))
            let path = try await Self.path(blob, in: files, from: origin)
            #expect(FileManager.default.contents(atPath: path) == Data("a build".utf8))
            #expect(origin.fetched == [blob])
        }
    }

    @Test func `a blob that comes damaged is given to nobody, and asked for again after a minute`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let (origin, clock) = (Origin(), Clock())
            let blob = origin.put("rotten", as: "a build")
            let files = BlobFiles(in: folder.path() + "cache", limit: 100, now: clock.now)
            for _ in 0..<3 {
                await #expect {
                    try await Self.path(blob, in: files, from: origin)
                } throws: { error in
                    if case StoreFailure.damagedBlob(blob, _) = error { true } else { false }
                }
            }
            #expect(origin.fetched.count == 1 && files.isDamaged(blob))
            #expect(try Self.names(in: folder).isEmpty)
            _ = origin.put("a build")
            clock.pass(61)
            let again = try await Self.path(blob, in: files, from: origin)
            #expect(again.hasSuffix("/\(blob)"))
            #expect(!files.isDamaged(blob))
        }
    }

    @Test
    func `a file that another program works with stays, and one that is too large stays alone`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let (origin, clock) = (Origin(), Clock())
            let blobs = ["first", "a very long one", "third"].map { origin.put($0) }
            let files = BlobFiles(in: folder.path() + "cache", limit: 10, now: clock.now)
            _ = try files.held(blobs[0], origin.open(blobs[0]))
            clock.pass(600)
            _ = try await Self.path(blobs[1], in: files, from: origin)
            #expect(try Self.names(in: folder).count == 2)
            clock.pass(600)
            _ = try await Self.path(blobs[2], in: files, from: origin)
            #expect(try Self.names(in: folder) == [blobs[2].description])
            _ = try await Self.path(blobs[1], in: files, from: origin)
            #expect(try Self.names(in: folder) == [blobs[1].description])
        }
    }

    @Test func `a blob that is not there is no file, and may come`() async throws {
        try await withTemporaryFolder { folder in
            let (origin, clock) = (Origin(), Clock())
            let blob = SHA256Digest(of: Array("later".utf8))
            let files = BlobFiles(in: folder.path() + "cache", limit: 100, now: clock.now)
            await #expect(throws: StoreFailure.missingBlob(blob)) {
                try await Self.path(blob, in: files, from: origin)
            }
            _ = origin.put("later")
            let again = try await Self.path(blob, in: files, from: origin)
            #expect(again.hasSuffix("/\(blob)"))
        }
    }
}
