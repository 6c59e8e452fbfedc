package import Bytes
package import Cryptography
package import Releases

/// The digest of an IPA, and those of its pieces, made in one pass.
package struct ArchiveDigests: Sendable, Equatable {
    package let sha256: SHA256Digest
    package let size: Int
    package let chunks: Release.ChunkDigests

    /// Bytes of a piece: Apple's own manifests use 10 MiB, and a phone fetches a damaged one again.
    package static let chunkSize = 10 << 20

    /// Reads all of `source`.
    package init(of source: any ByteSource) throws(SourceFailure) {
        self = try ArchiveDigesting(of: source).wait()
    }

    init(sha256: SHA256Digest, size: Int, digests: [SHA256Digest]) {
        self.sha256 = sha256
        self.size = size
        chunks = Release.ChunkDigests(size: Self.chunkSize, digests: digests)
    }
}

/// Makes ``ArchiveDigests`` of bytes as they arrive, such as an upload.
package struct ArchiveHashing {
    private let whole = SHA256Hasher()
    private let piece = SHA256Hasher()
    private var digests: [SHA256Digest] = []
    private var size = 0

    package init() {}

    package mutating func update(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe whole.update(bytes)
        var start = 0
        while start < bytes.count {
            let missing = ArchiveDigests.chunkSize - size % ArchiveDigests.chunkSize
            let end = min(start + missing, bytes.count)
            unsafe piece.update(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            size += end - start
            start = end
            if size % ArchiveDigests.chunkSize == 0 { digests.append(piece.finish()) }
        }
    }

    package mutating func finish() -> ArchiveDigests {
        if size % ArchiveDigests.chunkSize != 0 { digests.append(piece.finish()) }
        return ArchiveDigests(sha256: whole.finish(), size: size, digests: digests)
    }
}
