package import Essentials

extension SignedMessage {
    /// Verifies the signer, and that the content is what was signed.
    ///
    /// - Parameters:
    ///   - policy: the requirements for the signer and its chain.
    ///   - anchors: the trusted roots; roots embedded in the message are not trusted.
    ///   - date: the date for policies that check dates.
    ///   - detachedContent: the content, when the message does not include it.
    /// - Returns: the content and the verified chain.
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
        // Verifying with a key that an attacker chose can take 20 ms. When an anchor must have issued the
        // signer's certificate directly, that is checked first and embedded certificates are ignored.
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

    /// Verifies as in RFC 5652 section 5.6, over the original bytes.
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
            // A signature over attributes is also valid for content that consists of them, so removing
            // the attributes from a message must not give a valid message.
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
    /// The hash algorithm to verify with, if both algorithms and the key match.
    ///
    /// Apple gives plain rsaEncryption as the signature algorithm, so the digest algorithm decides.
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
