package import Cryptography
package import Provenance
package import Releases
package import Store

/// Statements of the provenance of releases, made when they are published.
extension OTAStore {
    /// Returns a release with its signed statement, which is then in the store.
    ///
    /// Bytes that are in the store already keep their first statement.
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

    /// The signed statement of a release, as stored.
    ///
    /// - Throws: `ProvenanceRefusal/none` if there is none, and ``StoreFailure``.
    package func envelope(of release: Release) throws -> SignedEnvelope {
        guard let blob = release.provenance else { throw ProvenanceRefusal.none }
        return try SignedEnvelope(json: bytes(of: blob, atMost: SignedEnvelope.sizeLimit))
    }

    /// Proves the provenance of a release, and that the stored IPA is the one that was published.
    ///
    /// - Parameters:
    ///   - release: the record in the store.
    ///   - key: the public key of the accepted signature; nil for the store's own.
    /// - Returns: what was proven.
    /// - Throws: `ProvenanceRefusal` if something does not agree, and ``StoreFailure``.
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
