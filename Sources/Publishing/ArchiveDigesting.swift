package import Bytes
package import Cryptography

/// Computes ``ArchiveDigests`` on two other threads, one for the whole and one for the pieces.
///
/// One digest cannot be computed in parallel; reading the source again for the pieces is faster than
/// waiting for the whole.
struct ArchiveDigesting {
    private let size: Int
    private let known: SHA256Digest?
    private let whole: Background<SHA256Digest>?
    private let pieces: Background<[SHA256Digest]>

    /// Begins at once; the digest of the whole is not computed if it is known.
    ///
    /// - Parameters:
    ///   - source: the bytes.
    ///   - known: the digest of the whole.
    ///   - digested: receives that digest as soon as it is known, on any thread.
    init(
        of source: any ByteSource,
        knowing known: SHA256Digest? = nil,
        digested: @escaping @Sendable (SHA256Digest) -> Void = { _ in },
    ) {
        let size = source.count
        self.size = size
        self.known = known
        if let known {
            digested(known)
            whole = nil
        } else {
            whole = Background { () throws(SourceFailure) in
                let digest = try Self.digest(of: source, 0..<size)
                digested(digest)
                return digest
            }
        }
        pieces = Background { () throws(SourceFailure) in
            var digests: [SHA256Digest] = []
            for start in stride(from: 0, to: size, by: ArchiveDigests.chunkSize) {
                let end = min(start + ArchiveDigests.chunkSize, size)
                digests.append(try Self.digest(of: source, start..<end))
            }
            return digests
        }
    }

    /// Waits for both, even if one has failed.
    func wait() throws(SourceFailure) -> ArchiveDigests {
        let made = whole?.wait()
        let digests = pieces.wait()
        guard let sha256 = try made?.get() ?? known else {
            throw SourceFailure(offset: 0, reason: "there is no digest")
        }
        return ArchiveDigests(sha256: sha256, size: size, digests: try digests.get())
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

extension SHA256Digest {
    /// Computes the digest of a whole source, a megabyte at a time.
    package init(reading source: any ByteSource) throws(SourceFailure) {
        self = try ArchiveDigesting.digest(of: source, 0..<source.count)
    }
}
