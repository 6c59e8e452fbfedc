import Bytes
package import Cryptography
import Synchronization

/// Which blobs have been read in full, and whether their bytes matched their digests.
///
/// A proof holds for the file that was read: a blob that was put again or written to must be read again.
final class BlobProofs: Sendable {
    private struct Proof {
        let stamp: ChangeStamp
        /// Nil if the file changed while it was read.
        let isWhole: Bool?
    }

    private let proofs = Mutex<[SHA256Digest: Proof]>([:])

    /// Whether the bytes match the digest; nil if this version of the file has not been read.
    func isWhole(_ blob: SHA256Digest, _ stamp: ChangeStamp) -> Bool? {
        proofs.withLock { $0[blob] }.flatMap { $0.stamp == stamp ? $0.isWhole : nil }
    }

    /// The last result, even if the blob has been put again since; nil if it has not been read.
    func latest(_ blob: SHA256Digest) -> Bool? { proofs.withLock { $0[blob]?.isWhole } }

    func note(_ blob: SHA256Digest, _ stamp: ChangeStamp, isWhole: Bool?) {
        proofs.withLock { $0[blob] = Proof(stamp: stamp, isWhole: isWhole) }
    }

    /// Forgets all blobs that are not among `blobs`.
    func keepOnly(_ blobs: [SHA256Digest]) {
        let there = Set(blobs)
        proofs.withLock { proofs in proofs = proofs.filter { there.contains($0.key) } }
    }

    var rotten: [(blob: SHA256Digest, stamp: ChangeStamp)] {
        proofs.withLock { proofs in
            proofs.filter { $0.value.isWhole == false }.map { ($0.key, $0.value.stamp) }
        }
    }

    var all: [(blob: SHA256Digest, stamp: ChangeStamp)] {
        proofs.withLock { proofs in proofs.map { ($0.key, $0.value.stamp) } }
    }
}

extension OTAStore {
    /// Whether the current bytes of a blob have been verified.
    ///
    /// True if they match the digest, false if not; nil if they have not been read since they last changed.
    /// A remote store is not asked; the answer is then the last result.
    package func isProven(_ blob: SHA256Digest) throws(StoreFailure) -> Bool? {
        if isElsewhere { return backend.isKnownDamaged(blob) ? false : proofs.latest(blob) }
        guard let stamp = try backend.stamp(of: blob) else { return nil }
        return proofs.isWhole(blob, stamp)
    }

    /// Reads a blob in full and remembers whether its bytes match its digest.
    ///
    /// `pace` receives the number of bytes read since its last call, and ends the reading by returning
    /// false.
    ///
    /// - Returns: whether the bytes match the digest; nil if the blob changed or disappeared meanwhile, or
    ///   if `pace` ended the reading.
    @discardableResult
    package func prove(
        _ blob: SHA256Digest,
        pace: (Int) -> Bool = { _ in true },
    ) throws(StoreFailure) -> Bool? {
        guard let stamp = try backend.stamp(of: blob) else { return nil }
        let isWhole: Bool
        do throws(StoreFailure) {
            guard let digest = try digest(of: backend.open(blob), pace: pace) else { return nil }
            isWhole = digest == blob
        } catch {
            guard error.concernsOnePlace else { throw error }
            if case .missingBlob = error { return nil }
            isWhole = false
        }
        guard try backend.stamp(of: blob) == stamp else {
            proofs.note(blob, stamp, isWhole: nil)
            return nil
        }
        proofs.note(blob, stamp, isWhole: isWhole)
        return isWhole
    }

    /// The blobs whose current bytes are known not to match their digests.
    package func rottenBlobs() throws(StoreFailure) -> [SHA256Digest] {
        var rotten: [SHA256Digest] = []
        for (blob, stamp) in proofs.rotten {
            if try backend.stamp(of: blob) == stamp {
                rotten.append(blob)
            } else {
                proofs.note(blob, stamp, isWhole: nil)
            }
        }
        return rotten.sorted { $0.description < $1.description }
    }

    /// All blobs.
    ///
    /// Results for blobs that no longer exist are forgotten.
    package func blobsToProve() throws(StoreFailure) -> [SHA256Digest] {
        let blobs = try backend.blobs()
        proofs.keepOnly(blobs)
        return blobs
    }

    /// The blobs that changed since they were verified, or while they were read.
    package func changedBlobs() throws(StoreFailure) -> [SHA256Digest] {
        var changed: [SHA256Digest] = []
        for (blob, stamp) in proofs.all {
            if let now = try backend.stamp(of: blob), now != stamp { changed.append(blob) }
        }
        return changed
    }

    private func digest(
        of stored: StoredBlob,
        pace: (Int) -> Bool,
    ) throws(StoreFailure) -> SHA256Digest? {
        let hasher = SHA256Hasher()
        var offset = 0
        do throws(SourceFailure) {
            while offset < stored.size {
                let count = min(1 << 20, stored.size - offset)
                let piece = try stored.source.bytes(at: offset, count: count)
                hasher.update(piece)
                offset += piece.count
                guard pace(piece.count) else { return nil }
            }
        } catch {
            let path = stored.path ?? stored.digest.description
            throw .unreadable(path: path, offset: error.offset, reason: error.reason)
        }
        return hasher.finish()
    }
}
