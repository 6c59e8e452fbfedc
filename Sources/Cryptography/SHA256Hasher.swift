/// SHA-256 over bytes that arrive in pieces.
package struct SHA256Hasher {
    private let hasher = DigestHasher(.sha256)

    package init() {}

    package func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe hasher.update(bytes)
    }

    package func update(_ bytes: some Sequence<UInt8>) {
        hasher.update(bytes)
    }

    /// The digest of everything since the start or the last `finish`; the hasher then begins again.
    package func finish() -> SHA256Digest {
        SHA256Digest(finished: hasher.finish())
    }
}
