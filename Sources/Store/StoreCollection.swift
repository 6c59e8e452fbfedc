import Cryptography

/// What `ota store gc` removed, or would remove.
package struct StoreCollection: Codable, Sendable, Equatable {
    package let blobs: Int
    /// Bytes of the blobs.
    package let bytes: Int
    /// Leftovers of crashed writers.
    package let leftovers: Int
}

extension OTAStore {
    /// Removes blobs that no release refers to and that were put long ago.
    ///
    /// A publish puts its blobs before the release that refers to them; the grace period keeps the
    /// two apart, and putting bytes that are there already makes them young again.
    ///
    /// `seconds` is the grace period, longer than any publish takes. When a document cannot be
    /// read, its references are unknown: that is an error, and nothing is removed.
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
