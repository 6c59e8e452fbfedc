/// A certificate signing request (PKCS#10, RFC 2986), signed by the key that it is for.
package struct CertificateSigningRequest: Sendable, Equatable {
    package let der: [UInt8]
    /// The key for which a certificate is requested.
    package let publicKey: PublicKey

    /// Creates and signs a request.
    ///
    /// - Parameters:
    ///   - key: the key to certify; Apple accepts only RSA 2048.
    ///   - subject: the requested name; Apple replaces it with its own.
    ///   - hosts: the host names of a server, requested as an extension (RFC 2985 section 5.4.2).
    /// - Throws: ``MalformedKey`` when the key cannot sign.
    package init(
        for key: PrivateKey,
        subject: DistinguishedName,
        hosts: [AlternativeName] = [],
    ) throws(MalformedKey) {
        let algorithm = try key.kind.signatureAlgorithm(.sha256)
        let information = DERBytes.sequence(
            DERBytes.integer(0),
            subject.der,
            key.publicKey,
            Self.attributes(asking: hosts),
        )
        let signature = try key.sign(information)
        der = DERBytes.sequence(information, algorithm, DERBytes.bitString(signature))
        publicKey = PublicKey(of: key)
    }

    // Attributes ::= [0] SET OF Attribute; extensionRequest has one SEQUENCE OF Extension.
    private static func attributes(asking hosts: [AlternativeName]) -> [UInt8] {
        guard !hosts.isEmpty else { return DERBytes.context(0) }
        let names = CertificateExtension(
            .subjectAlternativeName,
            value: DERBytes.sequence(of: hosts.map(\.der)),
        )
        return DERBytes.context(
            0,
            DERBytes.sequence(
                DERBytes.objectIdentifier(.extensionRequest),
                DERBytes.set(of: [DERBytes.sequence(names.der)]),
            ),
        )
    }

    /// The form that Apple accepts as `csrContent`.
    package var pem: String { PEM.text("CERTIFICATE REQUEST", der) }
}
