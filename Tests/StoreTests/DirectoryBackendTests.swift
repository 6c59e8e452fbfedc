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

    @Test func `refused writes leave nothing in incoming`() async throws {
        try await withBackend { backend in
            _ = try backend.write([1], to: name, if: .absent)
            for _ in 0..<3 { _ = try? backend.write([2], to: name, if: .absent) }
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

    /// Returns the errors while three threads put two hundred blobs each and a fourth one sweeps.
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
