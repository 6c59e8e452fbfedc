/// A certificate, the private key it is about, and the authorities above it.
package struct SigningIdentity: Sendable {
    package let certificate: Certificate
    package let key: PrivateKey
    /// Issuer first; may be empty, and need not reach the root.
    package let chain: [Certificate]

    package init(certificate: Certificate, key: PrivateKey, chain: [Certificate] = []) {
        self.certificate = certificate
        self.key = key
        self.chain = chain
    }

    /// The certificate, the chain and the private key, unencrypted, which ``IdentityFile`` reads.
    package var pem: String { certificate.pem + chain.pem + key.pem }
}
