package import Cryptography

extension ProvenanceStatement {
    /// Proves a statement by itself: who signed it, and that it is about these bytes.
    ///
    /// Neither a store nor a server is asked; what it says of the release is then as good as the key.
    ///
    /// - Parameters:
    ///   - envelope: as it was handed over.
    ///   - sha256: of the given IPA.
    ///   - key: whose signature counts.
    /// - Throws: ``ProvenanceRefusal`` with what does not agree.
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
