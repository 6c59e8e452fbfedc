import Bytes
package import Cryptography

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DirectoryBackend {
    package func receive() throws(StoreFailure) -> any IncomingBlob {
        try requireStore()
        return try systemCall { () throws(SystemFailure) in
            try prepare(incoming)
            return IncomingFile(try TemporaryFile(in: incoming), for: self)
        }
    }

    package func open(_ blob: SHA256Digest) throws(StoreFailure) -> StoredBlob {
        let path = path(of: blob)
        guard try facts(of: blob) != nil else { throw .missingBlob(blob) }
        do throws(SourceFailure) {
            return StoredBlob(digest: blob, source: try FileSource(path: path), path: path)
        } catch {
            throw .unreadable(path: path, offset: nil, reason: error.reason)
        }
    }

    package func facts(of blob: SHA256Digest) throws(StoreFailure) -> BlobFacts? {
        let path = path(of: blob)
        guard let status = try systemCall({ () throws(SystemFailure) in try Folder.status(path) }),
            status.isFile
        else {
            try requireStore()
            return nil
        }
        return BlobFacts(size: Int(status.st_size), age: status.age)
    }

    package func stamp(of blob: SHA256Digest) throws(StoreFailure) -> ChangeStamp? {
        let path = path(of: blob)
        return try systemCall { () throws(SystemFailure) in try Folder.status(path) }?.stamp
    }

    package func blobs() throws(StoreFailure) -> [SHA256Digest] {
        try systemCall { () throws(SystemFailure) in
            var digests: [SHA256Digest] = []
            for folder in try Folder.names(in: blobFolder) {
                digests += try Folder.names(in: blobFolder + "/" + folder)
                    .compactMap { SHA256Digest(hex: $0) }
            }
            return digests
        }
    }

    package func delete(
        _ blob: SHA256Digest,
        unlessPutWithin seconds: Int,
    ) throws(StoreFailure) -> Bool {
        let path = path(of: blob)
        return try lock.withLock { () throws(StoreFailure) in
            guard let facts = try facts(of: blob), facts.age >= seconds else { return false }
            return try systemCall { () throws(SystemFailure) in
                try Folder.remove(path)
                return true
            }
        }
    }

    private var blobFolder: String { root + "/blobs/sha256" }

    func path(of blob: SHA256Digest) -> String {
        let hex = blob.description
        return "\(blobFolder)/\(hex.prefix(2))/\(hex)"
    }

    /// Renames the file to its digest, even if that blob exists.
    ///
    /// That repairs rotted bytes and renews the blob's age, so that a running garbage collection keeps it.
    fileprivate func adopt(
        _ file: TemporaryFile,
        as digest: SHA256Digest,
    ) throws(StoreFailure) {
        let path = path(of: digest)
        do throws(SystemFailure) {
            try file.sync()
            try prepare(Folder.parent(of: path))
        } catch {
            throw .system(error)
        }
        try lock.withLock { () throws(StoreFailure) in
            do throws(SystemFailure) {
                try file.move(to: path)
            } catch {
                throw .system(error)
            }
        }
    }
}

/// A blob that is received into a file in `incoming/`.
private final class IncomingFile: IncomingBlob {
    private let file: TemporaryFile
    private let backend: DirectoryBackend
    private(set) var count = 0
    private var written = 0

    /// Bytes after which the kernel is asked to start writeback.
    private static let stretch = 8 << 20

    init(_ file: TemporaryFile, for backend: DirectoryBackend) {
        self.file = file
        self.backend = backend
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(StoreFailure) {
        do throws(SystemFailure) {
            try unsafe file.write(bytes)
        } catch {
            throw .system(error)
        }
        advance(by: bytes.count)
    }

    func append(
        contentsOf path: String,
        progress: (Int) -> Void,
    ) throws(StoreFailure) {
        do throws(SystemFailure) {
            try file.append(contentsOf: path, stretch: Self.stretch) { count in
                advance(by: count)
                progress(count)
            }
        } catch {
            throw .system(error)
        }
    }

    func source() throws(StoreFailure) -> any ByteSource {
        do throws(SourceFailure) {
            return try FileSource(path: file.path)
        } catch {
            throw .unreadable(path: file.path, offset: error.offset, reason: error.reason)
        }
    }

    func commit(as digest: SHA256Digest) throws(StoreFailure) {
        try backend.adopt(file, as: digest)
    }

    private func advance(by bytes: Int) {
        count += bytes
        guard count - written >= Self.stretch else { return }
        file.startWriteback(from: written, count: count - written)
        written = count
    }
}
