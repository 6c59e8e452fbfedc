package import Cryptography

extension ProvenanceStatement {
    /// Verifies a statement without a store or a server: its signature, and that it is for the given IPA.
    ///
    /// The contents are then as trustworthy as the key.
    ///
    /// - Parameters:
    ///   - envelope: the envelope.
    ///   - sha256: the digest of the given IPA.
    ///   - key: the trusted key.
    /// - Throws: ``ProvenanceRefusal`` with what does not match.
    package init(
        proving envelope: SignedEnvelope,
        about sha256: SHA256Digest,
        by key: PublicKey,
    ) throws(ProvenanceRefusal) {
        guard envelope.payloadType == Self.payloadType else {
            throw .unreadable("its payload is of another type")
        }
        try self.init(json: envelope.payload(provenBy: key))
        let stated = subject.compactMap { $0.digest["sha256"] }
        guard stated == [sha256.description] else {
            throw .otherBytes(stated: stated.first ?? "", found: sha256)
        }
    }
}
