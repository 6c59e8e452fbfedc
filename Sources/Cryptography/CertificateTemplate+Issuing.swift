import Essentials
package import Problems

extension CertificateTemplate {
    /// Encodes and signs the certificate (RFC 5280 section 4.1).
    ///
    /// - Parameters:
    ///   - key: the key to certify.
    ///   - issuer: the identity that signs; nil for a self-signed certificate.
    /// - Returns: the certificate, as parsed from its encoding.
    /// - Throws: ``IssuingFailure`` when the key cannot sign or the result is not a valid certificate.
    package func issued(
        for key: PrivateKey,
        by issuer: SigningIdentity? = nil,
    ) throws(IssuingFailure) -> Certificate {
        try issued(
            for: PublicKey(of: key),
            under: issuer?.certificate,
            signedBy: issuer?.key ?? key,
        )
    }

    /// Issues a certificate for a public key whose private key is not available, as an authority does.
    package func issued(
        for key: PublicKey,
        by issuer: SigningIdentity,
    ) throws(IssuingFailure) -> Certificate {
        try issued(for: key, under: issuer.certificate, signedBy: issuer.key)
    }

    private func issued(
        for key: PublicKey,
        under issuer: Certificate?,
        signedBy signingKey: PrivateKey,
    ) throws(IssuingFailure) -> Certificate {
        let der: [UInt8]
        do throws(MalformedKey) {
            der = try encoded(for: key, under: issuer, signedBy: signingKey)
        } catch {
            throw .key(error)
        }
        do throws(MalformedCertificate) {
            return try Certificate(der: der)
        } catch {
            throw .certificate(error)
        }
    }

    private func encoded(
        for key: PublicKey,
        under issuer: Certificate?,
        signedBy signingKey: PrivateKey,
    ) throws(MalformedKey) -> [UInt8] {
        let algorithm = try signingKey.kind.signatureAlgorithm(digest)
        let unsigned = DERBytes.sequence(
            DERBytes.context(0, DERBytes.integer(2)),
            DERBytes.integer(magnitude: serial),
            algorithm,
            (issuer?.subject ?? subject).der,
            DERBytes.sequence(DERBytes.time(notBefore), DERBytes.time(notAfter)),
            subject.der,
            key.der,
            DERBytes.context(
                3,
                DERBytes.sequence(of: extensions(for: key, under: issuer, by: signingKey)),
            ),
        )
        let signature = try signingKey.sign(unsigned, digest: digest)
        return DERBytes.sequence(unsigned, algorithm, DERBytes.bitString(signature))
    }

    private func extensions(
        for key: PublicKey,
        under issuer: Certificate?,
        by signingKey: PrivateKey,
    ) -> [[UInt8]] {
        var found: [CertificateExtension] = []
        if isAuthority {
            let length = pathLength.map { DERBytes.integer(UInt(max(0, $0))) }
            let parts = [DERBytes.boolean(true)] + (length.map { [$0] } ?? [])
            found.append(
                .init(.basicConstraints, isCritical: true, value: DERBytes.sequence(of: parts))
            )
        }
        if let keyUsage {
            found.append(.init(.keyUsage, isCritical: true, value: keyUsage.der))
        }
        if !extendedKeyUsages.isEmpty {
            let purposes = extendedKeyUsages.map(DERBytes.objectIdentifier)
            found.append(.init(.extendedKeyUsage, value: DERBytes.sequence(of: purposes)))
        }
        if !hosts.isEmpty {
            found.append(
                .init(.subjectAlternativeName, value: DERBytes.sequence(of: hosts.map(\.der)))
            )
        }
        let own = key.identifier
        found.append(.init(.subjectKeyIdentifier, value: DERBytes.octetString(own)))
        let above = issuer?.subjectKeyIdentifier ?? PublicKey(of: signingKey).identifier
        found.append(
            .init(
                .authorityKeyIdentifier,
                value: DERBytes.sequence(DERBytes.element(0x80, above)),
            )
        )
        return (found + customExtensions).map(\.der)
    }
}

/// Why a certificate could not be issued.
package enum IssuingFailure: ReportableError, Equatable {
    case key(MalformedKey)
    case certificate(MalformedCertificate)

    package var description: String {
        switch self {
        case .key(let failure): "\(failure)"
        case .certificate(let failure): "\(failure)"
        }
    }
}

extension IssuingFailure {
    package var id: String {
        switch self {
        case .key(let malformed): malformed.id
        case .certificate(let malformed): malformed.id
        }
    }

    package var kind: Problem.Kind { .failed }

    package var fix: String {
        switch self {
        case .key(let malformed): malformed.fix
        case .certificate(let malformed): malformed.fix
        }
    }
}

extension PublicKey {
    /// The key identifier by method 1 of RFC 7093 section 2: the leftmost 160 bits of the SHA-256 of the
    /// public key.
    fileprivate var identifier: [UInt8] {
        Array(DigestAlgorithm.sha256.digest(of: der).prefix(20))
    }
}

extension CertificateExtension {
    var der: [UInt8] {
        let critical = isCritical ? [DERBytes.boolean(true)] : []
        return DERBytes.sequence(
            of: [DERBytes.objectIdentifier(oid)] + critical + [DERBytes.octetString(value)]
        )
    }
}

extension AlternativeName {
    var der: [UInt8] {
        switch self {
        case .dns(let name): DERBytes.element(0x82, Array(name.utf8))
        case .address(let octets): DERBytes.element(0x87, octets)
        }
    }
}

extension KeyUsage {
    /// A BIT STRING of named bits, without trailing zero bits (X.690 section 11.2.2).
    fileprivate var der: [UInt8] {
        guard rawValue != 0 else { return DERBytes.element(0x03, [0]) }
        return DERBytes.element(0x03, [UInt8(rawValue.trailingZeroBitCount), rawValue])
    }
}

extension KeyKind {
    /// The AlgorithmIdentifier of a signature with such a key (RFC 4055, RFC 5758).
    func signatureAlgorithm(_ digest: DigestAlgorithm) throws(MalformedKey) -> [UInt8] {
        switch (self, digest) {
        case (.rsa, .sha1): DERBytes.algorithm(.sha1WithRSA)
        case (.rsa, .sha256): DERBytes.algorithm(.sha256WithRSA)
        case (.rsa, .sha384): DERBytes.algorithm(.sha384WithRSA)
        case (.ellipticCurve, .sha1): DERBytes.algorithm(.ecdsaWithSHA1, hasNull: false)
        case (.ellipticCurve, .sha256): DERBytes.algorithm(.ecdsaWithSHA256, hasNull: false)
        case (.ellipticCurve, .sha384): DERBytes.algorithm(.ecdsaWithSHA384, hasNull: false)
        case (.other, _): throw .unsupported(self)
        }
    }
}

extension DERBytes {
    /// An AlgorithmIdentifier with NULL or absent parameters.
    static func algorithm(_ oid: OID, hasNull: Bool = true) -> [UInt8] {
        sequence(of: [objectIdentifier(oid)] + (hasNull ? [null] : []))
    }
}
