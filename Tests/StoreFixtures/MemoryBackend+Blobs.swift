import Bytes
package import Cryptography
import Foundation
package import Store
import Synchronization

/// Blobs: stored under their digests, and incoming ones under the names of their uploads.
extension MemoryBackend {
    package func receive() throws(StoreFailure) -> any IncomingBlob {
        try requireStore()
        return IncomingMemory(for: self)
    }

    package func upload(_ name: String) throws(StoreFailure) -> any ResumableBlob {
        let path = try Self.path(ofUpload: name)
        try requireStore()
        change { state in
            if state.objects[path] == nil { state.put([], at: path) }
        }
        return ResumableMemory(path, of: self)
    }

    package func uploadSize(_ name: String) throws(StoreFailure) -> Int? {
        object(at: try Self.path(ofUpload: name))?.count
    }

    package func removeUpload(_ name: String) throws(StoreFailure) {
        setObject(nil, at: try Self.path(ofUpload: name))
    }

    package func uploads() throws(StoreFailure) -> [String] {
        paths.filter { $0.hasPrefix("incoming/") && $0.hasSuffix(".upload") }
            .map { String($0.dropFirst("incoming/".count).dropLast(".upload".count)) }
    }

    package func freeSpace() throws(StoreFailure) -> Int? { nil }

    package func open(_ blob: SHA256Digest) throws(StoreFailure) -> StoredBlob {
        guard try facts(of: blob) != nil, let bytes = object(at: Self.path(of: blob)) else {
            throw .missingBlob(blob)
        }
        return StoredBlob(digest: blob, source: MemorySource(bytes), path: nil)
    }

    package func facts(of blob: SHA256Digest) throws(StoreFailure) -> BlobFacts? {
        let object = state.withLock { $0.objects[Self.path(of: blob)] }
        guard let object else {
            try requireStore()
            return nil
        }
        let age = Int(-object.date.timeIntervalSinceNow)
        return BlobFacts(size: object.bytes.count, age: max(0, age))
    }

    package func stamp(of blob: SHA256Digest) throws(StoreFailure) -> ChangeStamp? {
        state.withLock { $0.objects[Self.path(of: blob)] }
            .map { ChangeStamp(values: [$0.change], isSettled: true) }
    }

    package func blobs() throws(StoreFailure) -> [SHA256Digest] {
        paths.filter { $0.hasPrefix("blobs/") }
            .compactMap { SHA256Digest(hex: $0.suffix(64)) }
    }

    package func delete(
        _ blob: SHA256Digest,
        unlessPutWithin seconds: Int,
    ) throws(StoreFailure) -> Bool {
        try change { state throws(StoreFailure) in
            let path = Self.path(of: blob)
            guard let object = state.objects[path],
                -object.date.timeIntervalSinceNow >= Double(seconds)
            else { return false }
            state.remove(path)
            return true
        }
    }

    /// Incoming bytes are dropped together with their receiver.
    package func sweep() throws(StoreFailure) -> Int { 0 }

    private static func path(ofUpload name: String) throws(StoreFailure) -> String {
        guard DocumentName.isAllowed(name) else { throw .unusableName(name) }
        return "incoming/\(name).upload"
    }
}

private final class IncomingMemory: IncomingBlob {
    private let backend: MemoryBackend
    private var bytes: [UInt8] = []

    init(for backend: MemoryBackend) {
        self.backend = backend
    }

    var count: Int { bytes.count }

    func append(_ bytes: UnsafeRawBufferPointer) throws(StoreFailure) {
        unsafe self.bytes.append(contentsOf: bytes)
    }

    func append(contentsOf path: String, progress: (Int) -> Void) throws(StoreFailure) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unreadable(path: path, offset: nil, reason: "there is no such file")
        }
        bytes += data
        progress(data.count)
    }

    func source() throws(StoreFailure) -> any ByteSource { MemorySource(bytes) }

    func commit(as digest: SHA256Digest) throws(StoreFailure) {
        backend.setObject(bytes, at: MemoryBackend.path(of: digest))
    }
}

private final class ResumableMemory: ResumableBlob {
    private let path: String
    private let backend: MemoryBackend

    init(_ path: String, of backend: MemoryBackend) {
        self.path = path
        self.backend = backend
    }

    private var bytes: [UInt8] { backend.object(at: path) ?? [] }

    var count: Int { bytes.count }

    func expect(_ size: Int) {}

    func append(_ bytes: UnsafeRawBufferPointer) throws(StoreFailure) {
        let all = unsafe self.bytes + Array(bytes)
        backend.setObject(all, at: path)
    }

    func append(contentsOf path: String, progress: (Int) -> Void) throws(StoreFailure) {
        throw .unreadable(path: path, offset: nil, reason: "an upload comes from a connection")
    }

    func truncate(to count: Int) throws(StoreFailure) {
        guard count < self.count else { return }
        backend.setObject(Array(bytes.prefix(count)), at: path)
    }

    func sync() throws(StoreFailure) {}

    func source() throws(StoreFailure) -> any ByteSource { MemorySource(bytes) }

    func commit(as digest: SHA256Digest) throws(StoreFailure) {
        backend.setObject(bytes, at: MemoryBackend.path(of: digest))
    }
}
