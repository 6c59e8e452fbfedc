import Cryptography

/// A complete CodeDirectory with its digest.
package struct HashedCodeDirectory: Sendable {
    package let hash: CodeHash
    package let blob: [UInt8]
    package let digest: [UInt8]

    package init(hash: CodeHash, blob: [UInt8]) {
        self.hash = hash
        self.blob = blob
        digest = hash.algorithm.digest(of: blob)
    }

    /// The code directory hash: the first 20 bytes of the digest, for any algorithm.
    package var codeHash: [UInt8] { Array(digest.prefix(20)) }
}
