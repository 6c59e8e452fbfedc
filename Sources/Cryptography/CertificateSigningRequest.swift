/// A request for a certificate about a key (PKCS#10, RFC 2986), signed by that key.
package struct CertificateSigningRequest: Sendable, Equatable {
    package let der: [UInt8]
    /// What the certificate shall be about.
    package let publicKey: PublicKey

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - key: what the certificate shall be about; Apple takes RSA 2048 alone.
    ///   - subject: Apple writes its own names into the certificate, whatever is asked for.
    ///   - hosts: the names of a server, which are asked for as an extension (RFC 2985 section 5.4.2).
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

    // Attributes ::= [0] SET OF Attribute; extensionRequest holds one SEQUENCE OF Extension.
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

    /// The form that Apple takes as `csrContent`.
    package var pem: String { PEM.text("CERTIFICATE REQUEST", der) }
}
