import Bytes
package import Cryptography
import Synchronization

/// Which blobs were read in full, and whether their bytes are the ones that their names promise.
///
/// A proof holds for the file that was read: one that was put again or written to is proven again.
final class BlobProofs: Sendable {
    private struct Proof {
        let stamp: ChangeStamp
        /// Nil where the file changed while it was read.
        let isWhole: Bool?
    }

    private let proofs = Mutex<[SHA256Digest: Proof]>([:])

    /// Whether the bytes are whole; nil for a file that was not proven.
    func isWhole(_ blob: SHA256Digest, _ stamp: ChangeStamp) -> Bool? {
        proofs.withLock { $0[blob] }.flatMap { $0.stamp == stamp ? $0.isWhole : nil }
    }

    /// What was found last, of a file that may have been put again since; nil for one that was not proven.
    func latest(_ blob: SHA256Digest) -> Bool? { proofs.withLock { $0[blob]?.isWhole } }

    func note(_ blob: SHA256Digest, _ stamp: ChangeStamp, isWhole: Bool?) {
        proofs.withLock { $0[blob] = Proof(stamp: stamp, isWhole: isWhole) }
    }

    /// Forgets what is not among `blobs`.
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
    /// Whether a blob was proven as it is now.
    ///
    /// True, or false where its bytes are not what its name promises; nil where it has not been read since.
    /// Of a store elsewhere, which is not asked for this, it is what was found last.
    package func isProven(_ blob: SHA256Digest) throws(StoreFailure) -> Bool? {
        if isElsewhere { return backend.isKnownDamaged(blob) ? false : proofs.latest(blob) }
        guard let stamp = try backend.stamp(of: blob) else { return nil }
        return proofs.isWhole(blob, stamp)
    }

    /// Reads a blob in full and remembers the result.
    ///
    /// `pace` receives the bytes read since its last call; returning false ends the reading.
    ///
    /// - Returns: whether the bytes are what the name promises; nil where they could not be judged,
    ///   because the blob changed or went meanwhile, or the reading was ended.
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

    /// The blobs whose bytes are known not to be the ones that were put, as they are now.
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

    /// Every blob there is; what is known of others is forgotten.
    package func blobsToProve() throws(StoreFailure) -> [SHA256Digest] {
        let blobs = try backend.blobs()
        proofs.keepOnly(blobs)
        return blobs
    }

    /// The blobs whose file is another than the one that was proven, or changed while it was read.
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
