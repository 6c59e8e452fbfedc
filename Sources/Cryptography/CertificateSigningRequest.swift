/// A request for a certificate about a key (PKCS#10, RFC 2986), signed by that key.
package struct CertificateSigningRequest: Sendable, Equatable {
    package let der: [UInt8]
    /// What the certificate shall be about.
    package let publicKey: PublicKey

    /// Makes a request without attributes.
    ///
    /// - Parameters:
    ///   - key: what the certificate shall be about; Apple takes RSA 2048 alone.
    ///   - subject: Apple writes its own names into the certificate, whatever is asked for.
    /// - Throws: ``MalformedKey`` when the key cannot sign.
    package init(
        for key: PrivateKey,
        subject: DistinguishedName,
    ) throws(MalformedKey) {
        let algorithm = try key.kind.signatureAlgorithm(.sha256)
        let information = DERBytes.sequence(
            DERBytes.integer(0),
            subject.der,
            key.publicKey,
            DERBytes.context(0),
        )
        let signature = try key.sign(information)
        der = DERBytes.sequence(information, algorithm, DERBytes.bitString(signature))
        publicKey = PublicKey(of: key)
    }

    /// The form that Apple takes as `csrContent`.
    package var pem: String { PEM.text("CERTIFICATE REQUEST", der) }
}
