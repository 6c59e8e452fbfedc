import COpenSSL

extension Certificate {
    /// Whether the key of `issuer` made the signature on this certificate.
    ///
    /// The caller must check names, dates and constraints. SHA-1 and RSA-1024, which Apple's device
    /// authority uses, are accepted.
    package func isSigned(by issuer: Certificate) -> Bool {
        defer { OpenSSL.takeFailure() }
        return unsafe issuer.object { authority in
            guard let key = unsafe X509_get0_pubkey(authority) else { return false }
            return unsafe object { certificate in unsafe X509_verify(certificate, key) == 1 }
        }
    }

    /// Whether this certificate's key made `signature` over `message`.
    func verifies(
        _ signature: [UInt8],
        over message: [UInt8],
        digest: DigestAlgorithm,
    ) -> Bool {
        defer { OpenSSL.takeFailure() }
        return unsafe object { certificate in
            guard let key = unsafe X509_get0_pubkey(certificate) else { return false }
            return unsafe OpenSSL.verifies(signature, over: message, by: key, digest: digest)
        }
    }
}
