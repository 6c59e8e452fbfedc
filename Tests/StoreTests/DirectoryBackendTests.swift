import Bytes
import Cryptography
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Store

struct DirectoryBackendTests {
    private let name = DocumentName(known: "apps", "com.example.app", "app.json")

    @Test func `a document is written only over the version that was read`() async throws {
        try await withBackend { backend in
            #expect(try backend.read(name) == nil)
            let first = try backend.write([1], to: name, if: .absent)
            #expect(throws: StoreFailure.conflict(name)) {
                try backend.write([2], to: name, if: .absent)
            }
            let second = try backend.write([2], to: name, if: .version(first))
            #expect(throws: StoreFailure.conflict(name)) {
                try backend.write([3], to: name, if: .version(first))
            }
            #expect(try backend.read(name)?.bytes == [2])
            #expect(try backend.previous(of: name)?.bytes == [1])
            #expect(throws: StoreFailure.conflict(name)) { try backend.delete(name, at: first) }
            try backend.delete(name, at: second)
            #expect(try backend.read(name) == nil)
            #expect(try backend.previous(of: name) == nil)
        }
    }

    @Test func `refused writes leave nothing in incoming`() async throws {
        try await withBackend { backend in
            _ = try backend.write([1], to: name, if: .absent)
            for _ in 0..<3 { _ = try? backend.write([2], to: name, if: .absent) }
            #expect(try Folder.names(in: backend.incoming) == [])
        }
    }

    @Test func `names are listed without earlier generations`() async throws {
        try await withBackend { backend in
            let version = try backend.write([1], to: name, if: .absent)
            _ = try backend.write([2], to: name, if: .version(version))
            let folder = DocumentName(known: "apps", "com.example.app")
            #expect(try backend.names(in: folder) == ["app.json"])
            #expect(try backend.names(in: DocumentName(known: "nothing")) == [])
        }
    }

    @Test(arguments: [
        "", ".", "..", "../x", "a/../b", "/etc/passwd", "a//b", "a/", ".hidden", "-x", "a b",
        "a\\b", "a@previous", "ä", "%2e%2e", String(repeating: "x", count: 201),
        "a/b/c/d/e/f/g",
    ])
    func `a name that could lead elsewhere is refused`(text: String) {
        #expect(throws: StoreFailure.self) { try DocumentName(path: text) }
    }

    @Test func `no control character is part of a name`() {
        for scalar in (0...0x1F).map({ Character(Unicode.Scalar(UInt8($0))) }) {
            #expect(throws: StoreFailure.self) { try DocumentName(path: "a\(scalar)b") }
        }
    }

    @Test(arguments: ["store.json", "apps/com.x-1.App/releases/1.0~20~28beta~29-34.json", "~2e-1"])
    func `ordinary names are taken`(text: String) throws {
        #expect(try DocumentName(path: text).path == text)
    }

    @Test func `a line that a crash cut short is dropped by the next one`() async throws {
        try await withBackend { backend in
            let journal = DocumentName(known: "activity", "2027-01.jsonl")
            #expect(try backend.lines(of: journal) == [])
            try backend.append(Array("one".utf8), to: journal)
            let handle = try #require(FileHandle(forWritingAtPath: backend.path(of: journal)))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("tw".utf8))
            try handle.close()
            #expect(
                try backend.lines(of: journal).map { String(decoding: $0, as: UTF8.self) } == [
                    "one"
                ]
            )
            try backend.append(Array("three".utf8), to: journal)
            #expect(
                try backend.lines(of: journal).map { String(decoding: $0, as: UTF8.self) } == [
                    "one", "three",
                ]
            )
        }
    }

    @Test func `a blob comes back by ranges under its digest`() async throws {
        try await withBackend { backend in
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let digest = SHA256Digest(of: bytes)
            let incoming = try backend.receive()
            for start in stride(from: 0, to: bytes.count, by: 30_000) {
                let piece = Array(bytes[start..<min(start + 30_000, bytes.count)])
                try unsafe piece.withUnsafeBytes { try unsafe incoming.append($0) }
            }
            #expect(incoming.count == bytes.count)
            #expect(try incoming.source().bytes(at: 99_990, count: 10) == Array(bytes.suffix(10)))
            #expect(throws: StoreFailure.missingBlob(digest)) { try backend.open(digest) }
            try incoming.commit(as: digest)
            let stored = try backend.open(digest)
            #expect(stored.size == bytes.count)
            #expect(try stored.source.bytes(at: 50, count: 4) == Array(bytes[50..<54]))
            #expect(try backend.blobs() == [digest])
            #expect(try backend.facts(of: digest)?.size == bytes.count)
            #expect(try !backend.delete(digest, unlessPutWithin: 60))
            #expect(try backend.delete(digest, unlessPutWithin: 0))
            #expect(try backend.blobs() == [])
        }
    }

    @Test func `a file is taken in whole, also one that is empty`() async throws {
        try await withTemporaryFolder { folder in
            let backend = try DirectoryBackend(root: folder.path())
            for count in [0, 1, 20 << 20] {
                let path = folder.path() + "source"
                let bytes = [UInt8](repeating: 7, count: count)
                try Data(bytes).write(to: URL(filePath: path))
                let incoming = try backend.receive()
                var told = 0
                try incoming.append(contentsOf: path) { told += $0 }
                #expect(told == count && incoming.count == count)
                try incoming.commit(as: SHA256Digest(of: bytes))
                #expect(try backend.open(SHA256Digest(of: bytes)).size == count)
            }
            #expect(try Folder.names(in: backend.incoming) == [])
        }
    }

    @Test func `a blob that is dropped on the way in leaves nothing`() async throws {
        try await withBackend { backend in
            do {
                let incoming = try backend.receive()
                try unsafe [UInt8](repeating: 1, count: 10).withUnsafeBytes {
                    try unsafe incoming.append($0)
                }
                #expect(try Folder.names(in: backend.incoming).count == 1)
            }
            #expect(try Folder.names(in: backend.incoming) == [])
        }
    }

    @Test func `putting the bytes again fixes a blob that has rotted`() async throws {
        try await withBackend { backend in
            let store = OTAStore(backend: backend)
            let digest = try store.put(Array("good bytes".utf8))
            try Data("bad bytes!".utf8).write(to: URL(filePath: backend.path(of: digest)))
            #expect(throws: StoreFailure.damagedBlob(digest, path: backend.path(of: digest))) {
                try store.bytes(of: digest)
            }
            try store.put(Array("good bytes".utf8))
            #expect(try store.bytes(of: digest) == Array("good bytes".utf8))
        }
    }

    @Test func `a sweep takes leftovers at once and leaves writers alone`() async throws {
        try await withBackend { backend in
            let writing = try backend.receive()
            try unsafe [UInt8](arrayLiteral: 1).withUnsafeBytes { try unsafe writing.append($0) }
            try Data("left".utf8).write(to: URL(filePath: backend.incoming + "/crashed.tmp"))
            #expect(try backend.sweep() == 1)
            #expect(try Folder.names(in: backend.incoming).count == 1)
            let digest = SHA256Digest(of: [1])
            try writing.commit(as: digest)
            #expect(try backend.facts(of: digest) != nil)
        }
    }

    @Test func `a sweep takes nothing from a writer that is just beginning`() async throws {
        try await withBackend { backend in
            #expect(sweepAmongWriters(of: backend) == [])
            let blobs = try backend.blobs()
            #expect(blobs.count == 600)
        }
    }

    /// What went wrong while three threads put two hundred blobs each and a fourth one sweeps.
    private func sweepAmongWriters(of backend: DirectoryBackend) -> [String] {
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            do {
                for count in 0..<200 {
                    guard number > 0 else {
                        try backend.sweep()
                        continue
                    }
                    let bytes = Array("\(number) \(count)".utf8)
                    let writing = try backend.receive()
                    try unsafe bytes.withUnsafeBytes { try unsafe writing.append($0) }
                    try writing.commit(as: SHA256Digest(of: bytes))
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        return failures.withLock(\.self)
    }

    @Test func `a second server is told that there is one`() async throws {
        try await withBackend { backend in
            let lease = try ServerLease(on: backend)
            #expect(throws: StoreFailure.alreadyServed(path: backend.root)) {
                try ServerLease(on: backend)
            }
            withExtendedLifetime(lease) {}
        }
    }

    @Test func `a writer that waits too long says for whom`() async throws {
        try await withTemporaryFolder { folder in
            let patient = try DirectoryBackend(root: folder.path())
            let hasty = try DirectoryBackend(root: folder.path(), patience: .milliseconds(20))
            let failure = try patient.lock.withLock { () throws(StoreFailure) -> StoreFailure? in
                do throws(StoreFailure) {
                    _ = try hasty.write([1], to: DocumentName(known: "x.json"), if: .absent)
                    return nil
                } catch {
                    return error
                }
            }
            #expect(failure?.id == "store.locked")
            #expect(failure?.place == patient.root + "/store.lock")
        }
    }

    private func withBackend(_ body: (DirectoryBackend) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try body(DirectoryBackend(root: folder.path()))
        }
    }
}
