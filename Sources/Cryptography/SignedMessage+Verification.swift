package import Essentials

extension SignedMessage {
    /// Proves who signed the message and that its content is what was signed.
    ///
    /// - Parameters:
    ///   - policy: who may have signed.
    ///   - anchors: the roots to end in; those that the message embeds count for nothing.
    ///   - date: the moment for policies that check dates.
    ///   - detachedContent: the content, when the message does not carry it.
    /// - Returns: the content with its proof.
    /// - Throws: ``SignatureRefusal``: the first reason found.
    package func verified(
        by policy: SignerPolicy,
        anchors: TrustAnchors,
        at date: Date,
        detachedContent: [UInt8]? = nil,
    ) throws(SignatureRefusal) -> VerifiedMessage {
        guard let signer = signers.first else { throw .noSigner }
        guard signers.count == 1 else { throw .severalSigners(signers.count) }
        guard let content = content ?? detachedContent else { throw .contentMissing }
        guard detachedContent == nil || detachedContent == content else { throw .contentMismatch }
        guard let certificate = certificates.first(where: signer.identifier.matches) else {
            throw .signerCertificateMissing
        }
        // Keys that strangers choose can take 20 ms to verify with. Where an anchor must have
        // certified the signer itself, that is asked first, and of nothing else that is embedded.
        let isDirect = policy.chainLength == 2
        if !isDirect { try verify(signer, content: content, with: certificate) }
        let chain = try CertificateChain(
            from: certificate,
            through: isDirect ? [] : certificates,
            to: anchors,
        )
        if isDirect { try verify(signer, content: content, with: certificate) }
        try policy.check(chain, at: date)
        return VerifiedMessage(
            content: content,
            chain: chain.certificates,
            anchor: anchors.isApple(chain.root)
                ? .apple : .privateAuthority(chain.root.description),
            attributes: signer.attributes,
        )
    }

    /// RFC 5652 section 5.6, over the bytes as they came.
    private func verify(
        _ signer: Signer,
        content: [UInt8],
        with certificate: Certificate,
    ) throws(SignatureRefusal) {
        let digest = try signer.digest(for: certificate.keyKind)
        let signed: [UInt8]
        if let attributes = signer.attributes {
            guard let claimed = attributes.single(.messageDigest) else {
                throw .attributeMissing(.messageDigest)
            }
            guard claimed == DERBytes.octetString(digest.digest(of: content)) else {
                throw .digestMismatch
            }
            guard let type = attributes.single(.contentType) else {
                throw .attributeMissing(.contentType)
            }
            guard type == DERBytes.objectIdentifier(contentType) else {
                throw .contentTypeMismatch
            }
            signed = attributes.signedBytes
        } else {
            guard contentType == .data else { throw .attributeMissing(.contentType) }
            // A signature over attributes is also one over content that consists of them, so
            // taking the attributes off a message must not leave a message.
            guard !Self.resemblesAttributes(content) else { throw .ambiguousContent }
            signed = content
        }
        guard certificate.verifies(signer.signature, over: signed, digest: digest) else {
            throw .signatureInvalid
        }
    }

    private static func resemblesAttributes(_ content: [UInt8]) -> Bool {
        content.first == 0x31
            && content.firstRange(of: DERBytes.objectIdentifier(.messageDigest)) != nil
    }
}

extension SignedMessage.Signer {
    /// The digest to verify with, once both algorithms and the key fit together.
    ///
    /// Apple names plain rsaEncryption as the signature algorithm, so the digest algorithm decides.
    fileprivate func digest(for key: KeyKind) throws(SignatureRefusal) -> DigestAlgorithm {
        let digests: [OID: DigestAlgorithm] = [.sha1: .sha1, .sha256: .sha256, .sha384: .sha384]
        guard let digest = digests[digestAlgorithm] else {
            throw .unsupportedAlgorithm(digestAlgorithm)
        }
        let allowed: [OID] =
            switch (key, digest) {
            case (.rsa, .sha1): [.rsaEncryption, .sha1WithRSA]
            case (.rsa, .sha256): [.rsaEncryption, .sha256WithRSA]
            case (.rsa, .sha384): [.rsaEncryption, .sha384WithRSA]
            case (.ellipticCurve, .sha1): [.ellipticCurveKey, .ecdsaWithSHA1]
            case (.ellipticCurve, .sha256): [.ellipticCurveKey, .ecdsaWithSHA256]
            case (.ellipticCurve, .sha384): [.ellipticCurveKey, .ecdsaWithSHA384]
            case (.other, _): []
            }
        guard allowed.contains(signatureAlgorithm) else {
            throw .unsupportedAlgorithm(signatureAlgorithm)
        }
        return digest
    }
}
