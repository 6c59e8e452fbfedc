package import Cryptography
package import Essentials

/// The IPAs of a release: the one that was published, and one for each time that it was signed again.
///
/// Whatever serves, judges or shows a release asks for ``current``, mostly through the properties
/// ``sha256`` and ``report``; nothing else decides which IPA is meant.
extension Release {
    /// One IPA of a release, and what was found out about it.
    package struct Archive: Sendable, Equatable {
        /// The name of its blob, and what the phone ends up with.
        package let sha256: SHA256Digest
        /// Bytes of the IPA.
        package let size: Int
        package let chunks: ChunkDigests
        /// The blob of the `InspectionReport` as it was judged when the IPA came.
        package let report: SHA256Digest
        /// The day after which no phone installs it, and nil when nothing in it expires.
        package let installsUntil: Date?
        /// The blob of the signed statement of where it came from.
        package let provenance: SHA256Digest?
    }

    /// The IPA that phones install: the newest signing, or the one that was published.
    package var current: Archive { signings?.last?.archive ?? original }

    /// Every IPA that the release has had, the one that was published first.
    package var archives: [Archive] { [original] + (signings ?? []).map(\.archive) }

    /// The IPA: the name of its blob, and what the phone ends up with.
    package var sha256: SHA256Digest { current.sha256 }
    /// Bytes of the IPA.
    package var size: Int { current.size }
    package var chunks: ChunkDigests { current.chunks }
    /// The blob of the `InspectionReport` as it was judged when the IPA came.
    package var report: SHA256Digest { current.report }
    /// The day after which no phone installs it, and nil when nothing in it expires.
    package var installsUntil: Date? { current.installsUntil }
    /// The blob of the signed statement of where the IPA came from.
    package var provenance: SHA256Digest? { current.provenance }

    /// Everything that the store must have before the release may be seen.
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

    /// Whether the bytes of the IPA are to be in the store.
    package func keeps(_ digest: SHA256Digest) -> Bool {
        droppedArchives?.contains(digest) != true
    }

    /// Whether the IPA that was published is still there to be signed again.
    package var keepsOriginal: Bool { keeps(original.sha256) }

    /// The release as it was while `isMeant` was true of its current IPA; nil where it never was, or the
    /// bytes are gone.
    package func offering(where isMeant: (Archive) -> Bool) -> Release? {
        guard let place = archives.lastIndex(where: isMeant), keeps(archives[place].sha256) else {
            return nil
        }
        var release = self
        release.signings = signings.map { Array($0.prefix(place)) }
        return release
    }

    /// Notes that the bytes of an IPA are in the store again.
    package mutating func keepAgain(_ digest: SHA256Digest) {
        guard let dropped = droppedArchives, dropped.contains(digest) else { return }
        let left = dropped.filter { $0 != digest }
        droppedArchives = left.isEmpty ? nil : left
    }

    /// The IPAs that are not current and whose bytes are still to be in the store, each once.
    ///
    /// - Parameter withOriginal: also the one that was published.
    /// - Returns: them, the oldest first.
    package func superseded(withOriginal: Bool) -> [Archive] {
        var known: Set<SHA256Digest> = [sha256]
        if !withOriginal { known.insert(original.sha256) }
        return archives.filter { keeps($0.sha256) && known.insert($0.sha256).inserted }
    }

    /// Gives up the bytes of IPAs that are not current; they go with the next collection.
    ///
    /// - Parameter withOriginal: also of the one that was published, after which the release cannot be
    ///   signed again.
    package mutating func dropSuperseded(withOriginal: Bool) {
        drop(superseded(withOriginal: withOriginal).map(\.sha256))
    }

    /// Gives up the bytes of these IPAs, but never of the current one.
    mutating func drop(_ superseded: [SHA256Digest]) {
        let known = Set(archives.map(\.sha256))
        let surplus = superseded.filter { $0 != sha256 && keeps($0) }
        let dropped = ((droppedArchives ?? []) + surplus).filter(known.contains)
        droppedArchives = dropped.isEmpty ? nil : dropped
    }
}
