import Cryptography

/// A finished CodeDirectory with its digest.
package struct HashedCodeDirectory: Sendable {
    package let hash: CodeHash
    package let blob: [UInt8]
    package let digest: [UInt8]

    package init(hash: CodeHash, blob: [UInt8]) {
        self.hash = hash
        self.blob = blob
        digest = hash.algorithm.digest(of: blob)
    }

    /// The identity of the code: the first 20 bytes of the digest, whichever it is.
    package var codeHash: [UInt8] { Array(digest.prefix(20)) }
}
