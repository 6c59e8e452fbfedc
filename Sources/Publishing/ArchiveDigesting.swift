import Bytes
import Cryptography

/// Makes ``ArchiveDigests`` on two other threads, one for the whole and one for the pieces.
///
/// A digest is one chain that cores cannot share; to read again for the second one costs less than
/// to wait for it.
struct ArchiveDigesting {
    private let size: Int
    private let whole: Background<SHA256Digest>
    private let pieces: Background<[SHA256Digest]>

    /// Begins at once.
    init(of source: any ByteSource) {
        let size = source.count
        self.size = size
        whole = Background { () throws(SourceFailure) in try Self.digest(of: source, 0..<size) }
        pieces = Background { () throws(SourceFailure) in
            var digests: [SHA256Digest] = []
            for start in stride(from: 0, to: size, by: ArchiveDigests.chunkSize) {
                let end = min(start + ArchiveDigests.chunkSize, size)
                digests.append(try Self.digest(of: source, start..<end))
            }
            return digests
        }
    }

    /// Waits for both, also when one has failed.
    func wait() throws(SourceFailure) -> ArchiveDigests {
        let whole = whole.wait()
        let digests = pieces.wait()
        return ArchiveDigests(sha256: try whole.get(), size: size, digests: try digests.get())
    }

    static func digest(
        of source: any ByteSource,
        _ range: Range<Int>,
    ) throws(SourceFailure) -> SHA256Digest {
        let hasher = SHA256Hasher()
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = min(1 << 20, range.upperBound - offset)
            hasher.update(try source.bytes(at: offset, count: count))
            offset += count
        }
        return hasher.finish()
    }
}
