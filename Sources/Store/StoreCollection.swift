import Cryptography

/// The result of `ota store gc`: what it removed, or would remove.
package struct StoreCollection: Codable, Sendable, Equatable {
    package let blobs: Int
    /// The total size of the blobs in bytes.
    package let bytes: Int
    /// Files left by crashed writers.
    package let leftovers: Int
}

extension OTAStore {
    /// Removes blobs to which nothing refers and that were put more than `seconds` ago.
    ///
    /// A publish puts its blobs before the release that refers to them. The grace period, which is longer
    /// than any publish takes, protects them; putting bytes that already exist renews their age.
    ///
    /// If a document cannot be read, its references are unknown: that is an error, and nothing is removed.
    package func collect(
        olderThan seconds: Int = 24 * 3600,
        isDryRun: Bool = false,
    ) throws(StoreFailure) -> StoreCollection {
        let references = try StoreReferences(completelyOf: self)
        if !isDryRun { try forgetReplacedSecrets() }
        var blobs = 0
        var bytes = 0
        for blob in try backend.blobs() where references.blobs[blob] == nil {
            guard let facts = try backend.facts(of: blob), facts.age >= seconds else { continue }
            if !isDryRun {
                guard try backend.delete(blob, unlessPutWithin: seconds) else { continue }
            }
            blobs += 1
            bytes += facts.size
        }
        var leftovers = 0
        if !isDryRun {
            leftovers = try backend.sweep()
            if try StoreCopy.removeMark(from: backend) { leftovers += 1 }
        }
        return StoreCollection(blobs: blobs, bytes: bytes, leftovers: leftovers)
    }
}
