package import Cryptography

/// A statement that was verified for a release.
package struct ProvenRelease: Sendable, Equatable {
    package let statement: ProvenanceStatement
    package let key: PublicKey.Fingerprint

    /// Verifies an envelope, and that its statement matches the given IPA and record.
    ///
    /// - Parameters:
    ///   - release: the record of the release.
    ///   - sha256: the digest of the IPA that is now on disk.
    ///   - envelope: the stored statement.
    ///   - key: the trusted key.
    /// - Throws: ``ProvenanceRefusal`` with what does not match.
    package init(
        _ release: ReleaseClaims,
        sha256: SHA256Digest,
        envelope: SignedEnvelope,
        provenBy key: PublicKey,
    ) throws(ProvenanceRefusal) {
        guard envelope.payloadType == ProvenanceStatement.payloadType else {
            throw .unreadable("its payload is of another type")
        }
        let statement = try ProvenanceStatement(json: envelope.payload(provenBy: key))
        let stated = statement.subject.compactMap { $0.digest["sha256"] }
        guard stated == [release.sha256.description], sha256 == release.sha256 else {
            throw .otherBytes(stated: stated.first ?? "", found: sha256)
        }
        let parameters = statement.predicate.buildDefinition.externalParameters
        let commits = statement.predicate.buildDefinition.resolvedDependencies
            .compactMap { $0.digest["gitCommit"] }
        let pairs: [(String, String?, String?)] = [
            ("app", parameters.bundleIdentifier, release.app),
            ("version", parameters.version, release.version),
            ("build", parameters.build, release.build),
            ("tag", parameters.tag, release.tag), ("commit", commits.first, release.commit),
            ("repository", parameters.repository, release.repository),
        ]
        if let (field, stated, found) = pairs.first(where: { $0.1 != $0.2 }) {
            throw .otherRecord(field, stated: stated ?? "", found: found ?? "")
        }
        self.statement = statement
        self.key = key.fingerprint
    }
}
