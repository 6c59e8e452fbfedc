package import Cryptography

/// Hashes the pages of one slice, whose bytes arrive in order and in pieces of any size.
package struct PageHasher {
    package let algorithm: DigestAlgorithm
    private let pageSize: Int
    /// The concatenated digests; 32 bytes for every 4096 with SHA-256.
    package private(set) var digests: [UInt8] = []
    package private(set) var count = 0
    /// The number of bytes of all pages so far.
    package private(set) var size = 0
    /// The incomplete page.
    private let partial: DigestHasher
    private var filled = 0

    /// - Parameters:
    ///   - algorithm: the hash algorithm.
    ///   - pageSize: the size of a page in bytes; nil for a single page that covers everything.
    package init(_ algorithm: DigestAlgorithm, pageSize: Int?) {
        self.algorithm = algorithm
        self.pageSize = pageSize ?? .max
        partial = DigestHasher(algorithm)
    }

    /// Hashes the next bytes of the slice.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) {
        size += bytes.count
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let count = min(pageSize - filled, rest.count)
            let piece = unsafe UnsafeRawBufferPointer(rebasing: rest[..<count])
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            if count == pageSize {
                note(unsafe algorithm.digest(of: piece))
                continue
            }
            unsafe partial.update(piece)
            filled += count
            if filled == pageSize { finish() }
        }
    }

    /// Finishes the last page, which may be shorter.
    package mutating func finish() {
        guard filled > 0 else { return }
        note(partial.finish())
        filled = 0
    }

    func digest(ofPage page: Int) -> ArraySlice<UInt8> {
        let start = page * algorithm.size
        return digests[start..<start + algorithm.size]
    }

    private mutating func note(_ digest: [UInt8]) {
        digests += digest
        count += 1
    }
}
