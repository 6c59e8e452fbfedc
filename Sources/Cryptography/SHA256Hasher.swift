/// An incremental SHA-256.
package struct SHA256Hasher {
    private let hasher = DigestHasher(.sha256)

    package init() {}

    package func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe hasher.update(bytes)
    }

    package func update(_ bytes: some Sequence<UInt8>) {
        hasher.update(bytes)
    }

    /// Returns the digest of all bytes since the start or the last `finish`, and resets the hasher.
    package func finish() -> SHA256Digest {
        SHA256Digest(finished: hasher.finish())
    }
}
