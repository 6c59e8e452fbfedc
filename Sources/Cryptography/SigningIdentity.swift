/// A certificate, its private key, and the certificates of its issuers.
package struct SigningIdentity: Sendable {
    package let certificate: Certificate
    package let key: PrivateKey
    /// The issuer's certificate first; may be empty, and need not reach the root.
    package let chain: [Certificate]

    package init(certificate: Certificate, key: PrivateKey, chain: [Certificate] = []) {
        self.certificate = certificate
        self.key = key
        self.chain = chain
    }

    /// The certificate, the chain and the unencrypted private key in PEM, which ``IdentityFile`` reads.
    package var pem: String { certificate.pem + chain.pem + key.pem }
}
