package import Bytes
package import Cryptography
package import Releases

/// The digest of an IPA, and those of its pieces.
package struct ArchiveDigests: Sendable, Equatable {
    package let sha256: SHA256Digest
    package let size: Int
    package let chunks: Release.ChunkDigests

    /// The size of a piece in bytes: Apple's own manifests use 10 MiB, and a device downloads a damaged
    /// piece again.
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
