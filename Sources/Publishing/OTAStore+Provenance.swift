package import Cryptography
package import Provenance
package import Releases
package import Store

/// Statements of where releases came from, made when they are published.
extension OTAStore {
    /// A release with its signed statement, which is in the store then.
    ///
    /// Bytes that are there already keep what was said of them first.
    func attested(_ release: Release) throws -> Release {
        var release = release
        let there = try self.release(release.identifier, of: release.bundleIdentifier)
        if let same = there?.archive(release.sha256) {
            release.publishedProvenance = same.provenance
            return release
        }
        let statement = ProvenanceStatement(of: release, instance: try settings().instance)
        let envelope = try SignedEnvelope(
            signing: statement.json(),
            type: ProvenanceStatement.payloadType,
            with: provenanceKey(),
        )
        release.publishedProvenance = try put(envelope.json())
        return release
    }

    /// The signed statement of a release, as it was stored.
    ///
    /// - Throws: `ProvenanceRefusal/none` for one that has none, and ``StoreFailure``.
    package func envelope(of release: Release) throws -> SignedEnvelope {
        guard let blob = release.provenance else { throw ProvenanceRefusal.none }
        return try SignedEnvelope(json: bytes(of: blob, atMost: SignedEnvelope.sizeLimit))
    }

    /// Proves where a release came from, and that the IPA on disk is the one that was published.
    ///
    /// - Parameters:
    ///   - release: the record in the store.
    ///   - key: whose signature counts; without one the store's own.
    /// - Returns: what is proven.
    /// - Throws: `ProvenanceRefusal` with what does not agree, and ``StoreFailure``.
    package func proven(_ release: Release, by key: PublicKey? = nil) throws -> ProvenRelease {
        let envelope = try envelope(of: release)
        let stored = try open(release.sha256)
        let found = try ArchiveDigesting.digest(of: stored.source, 0..<stored.size)
        return try ProvenRelease(
            ReleaseClaims(release),
            sha256: found,
            envelope: envelope,
            provenBy: try key ?? PublicKey(of: provenanceKey()),
        )
    }
}
