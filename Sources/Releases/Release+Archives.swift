package import Cryptography
package import Essentials

/// The IPAs of a release: the published one, and one for each time it was signed again.
///
/// Code that serves, judges or shows a release uses ``current``, mostly through ``sha256`` and ``report``;
/// nothing else decides which IPA is used.
extension Release {
    /// One IPA of a release with its metadata.
    package struct Archive: Sendable, Equatable {
        /// The IPA's digest, which names its blob.
        package let sha256: SHA256Digest
        /// The size of the IPA in bytes.
        package let size: Int
        package let chunks: ChunkDigests
        /// The blob of the `InspectionReport` from when the IPA was added.
        package let report: SHA256Digest
        /// The last day on which phones install it; nil if nothing in it expires.
        package let installsUntil: Date?
        /// The blob of the signed statement about its origin.
        package let provenance: SHA256Digest?
    }

    /// The IPA that phones install: the newest signing, or the published one.
    package var current: Archive { signings?.last?.archive ?? original }

    /// All IPAs that the release has had, the published one first.
    package var archives: [Archive] { [original] + (signings ?? []).map(\.archive) }

    /// The current IPA's digest, which names its blob.
    package var sha256: SHA256Digest { current.sha256 }
    /// The size of the current IPA in bytes.
    package var size: Int { current.size }
    package var chunks: ChunkDigests { current.chunks }
    /// The blob of the `InspectionReport` from when the current IPA was added.
    package var report: SHA256Digest { current.report }
    /// The last day on which phones install it; nil if nothing in it expires.
    package var installsUntil: Date? { current.installsUntil }
    /// The blob of the signed statement about the origin of the current IPA.
    package var provenance: SHA256Digest? { current.provenance }

    /// The blobs that must exist before the release becomes visible.
    package var blobs: [SHA256Digest] {
        let kept = archives.map(\.sha256).filter(keeps)
        let words = archives.flatMap { [$0.report, $0.provenance] }.compactMap(\.self)
        return kept + words + [icons.small, icons.large]
            + (symbols?.files ?? []).map(\.blob)
    }

    /// The IPA with this digest, if the release has or had it.
    package func archive(_ digest: SHA256Digest) -> Archive? {
        archives.first { $0.sha256 == digest }
    }

    /// Whether the store should have the bytes of the IPA.
    package func keeps(_ digest: SHA256Digest) -> Bool {
        droppedArchives?.contains(digest) != true
    }

    /// Whether the published IPA is still stored, so that it can be signed again.
    package var keepsOriginal: Bool { keeps(original.sha256) }

    /// The release with the latest IPA for which `isMeant` is true as its current one; nil if there is
    /// none, or its bytes are no longer stored.
    package func offering(where isMeant: (Archive) -> Bool) -> Release? {
        guard let place = archives.lastIndex(where: isMeant), keeps(archives[place].sha256) else {
            return nil
        }
        var release = self
        release.signings = signings.map { Array($0.prefix(place)) }
        return release
    }

    /// Records that the bytes of an IPA are in the store again.
    package mutating func keepAgain(_ digest: SHA256Digest) {
        guard let dropped = droppedArchives, dropped.contains(digest) else { return }
        let left = dropped.filter { $0 != digest }
        droppedArchives = left.isEmpty ? nil : left
    }

    /// The IPAs that are not current and whose bytes should still be in the store, each once.
    ///
    /// - Parameter withOriginal: whether to include the published one.
    /// - Returns: the IPAs, oldest first.
    package func superseded(withOriginal: Bool) -> [Archive] {
        var known: Set<SHA256Digest> = [sha256]
        if !withOriginal { known.insert(original.sha256) }
        return archives.filter { keeps($0.sha256) && known.insert($0.sha256).inserted }
    }

    /// Drops the bytes of IPAs that are not current; the next garbage collection deletes them.
    ///
    /// - Parameter withOriginal: whether to include the published one; the release can then no longer be
    ///   signed again.
    package mutating func dropSuperseded(withOriginal: Bool) {
        drop(superseded(withOriginal: withOriginal).map(\.sha256))
    }

    /// Drops the bytes of these IPAs, but never of the current one.
    mutating func drop(_ superseded: [SHA256Digest]) {
        let known = Set(archives.map(\.sha256))
        let surplus = superseded.filter { $0 != sha256 && keeps($0) }
        let dropped = ((droppedArchives ?? []) + surplus).filter(known.contains)
        droppedArchives = dropped.isEmpty ? nil : dropped
    }
}
