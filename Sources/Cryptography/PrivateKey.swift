import COpenSSL

/// An RSA or elliptic-curve private key, kept as PKCS#8 bytes between uses.
package struct PrivateKey: Sendable {
    package enum Recipe: Sendable {
        case p256
        case rsa2048
        /// What Apple's device authority and older devices have; too short for anything new.
        case rsa1024
    }

    /// PrivateKeyInfo (RFC 5208), unencrypted.
    package let der: [UInt8]
    package let kind: KeyKind
    /// SubjectPublicKeyInfo.
    package let publicKey: [UInt8]

    package static func generate(_ recipe: Recipe) throws(MalformedKey) -> PrivateKey {
        let made: OpaquePointer? =
            switch recipe {
            case .p256: unsafe ota_generate_ec("P-256")
            case .rsa2048: unsafe ota_generate_rsa(2048)
            case .rsa1024: unsafe ota_generate_rsa(1024)
            }
        guard let key = unsafe made else {
            throw .cannotGenerate(reason: OpenSSL.takeFailure())
        }
        defer { unsafe EVP_PKEY_free(key) }
        return try unsafe PrivateKey(copying: key)
    }

    /// Reads PKCS#8, PKCS#1 or SEC 1 bytes.
    package init(der: [UInt8]) throws(MalformedKey) {
        let read = unsafe OpenSSL.decoded(
            der,
            { cursor, count in unsafe d2i_AutoPrivateKey(nil, cursor, count) },
            { key in unsafe EVP_PKEY_free(key) },
        )
        guard let key = unsafe read else { throw .notAKey(reason: OpenSSL.takeFailure()) }
        defer { unsafe EVP_PKEY_free(key) }
        try unsafe self.init(copying: key)
    }

    /// Copies a key that the caller frees.
    init(copying key: OpaquePointer) throws(MalformedKey) {
        defer { OpenSSL.takeFailure() }
        kind = unsafe KeyKind(key)
        if case .other = kind { throw .unsupported(kind) }
        guard let info = unsafe EVP_PKEY2PKCS8(key) else {
            throw .notAKey(reason: OpenSSL.takeFailure())
        }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        guard
            let bytes = unsafe OpenSSL.encoded({ unsafe i2d_PKCS8_PRIV_KEY_INFO(info, $0) }),
            let open = unsafe OpenSSL.encoded({ unsafe i2d_PUBKEY(key, $0) })
        else { throw .notAKey(reason: OpenSSL.takeFailure()) }
        der = bytes
        publicKey = open
    }

    /// Whether `certificate` is about this key.
    package func matches(_ certificate: Certificate) -> Bool {
        defer { OpenSSL.takeFailure() }
        guard let key = unsafe decoded() else { return false }
        defer { unsafe EVP_PKEY_free(key) }
        guard let x509 = unsafe Certificate.decoded(certificate.der) else { return false }
        defer { unsafe X509_free(x509) }
        guard let other = unsafe X509_get0_pubkey(x509) else { return false }
        return unsafe EVP_PKEY_eq(key, other) == 1
    }

    /// Digests `message` and signs that: PKCS#1 v1.5 for RSA, a DER ECDSA value for curves.
    package func sign(
        _ message: [UInt8],
        digest: DigestAlgorithm = .sha256,
    ) throws(MalformedKey) -> [UInt8] {
        guard let key = unsafe decoded() else {
            throw .notAKey(reason: OpenSSL.takeFailure())
        }
        defer { unsafe EVP_PKEY_free(key) }
        guard let context = unsafe EVP_MD_CTX_new() else {
            throw .cannotSign(reason: OpenSSL.takeFailure())
        }
        defer { unsafe EVP_MD_CTX_free(context) }
        var length = Int(unsafe EVP_PKEY_get_size(key))
        let signature = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            guard unsafe EVP_DigestSignInit(context, nil, digest.method, nil, key) == 1,
                unsafe EVP_DigestSign(
                    context,
                    buffer.baseAddress,
                    &length,
                    message,
                    message.count,
                ) == 1
            else { return }
            filled = length
        }
        guard !signature.isEmpty else { throw .cannotSign(reason: OpenSSL.takeFailure()) }
        return signature
    }

    private func decoded() -> OpaquePointer? {
        unsafe OpenSSL.decoded(
            der,
            { cursor, count in unsafe d2i_AutoPrivateKey(nil, cursor, count) },
            { key in unsafe EVP_PKEY_free(key) },
        )
    }
}

extension PrivateKey {
    /// PKCS#8 in PEM form, unencrypted, with a final newline.
    package var pem: String { PEM.text("PRIVATE KEY", der) }

    /// Reads the first private key of a PEM file; certificates beside it are passed over.
    ///
    /// - Throws: ``MalformedKey/encrypted`` when it needs a passphrase.
    package init(pem: String) throws(MalformedKey) {
        let blocks = PEM.blocks(in: pem) ?? []
        guard let block = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
            throw .noKeyInText
        }
        guard !block.isEncrypted, block.label != "ENCRYPTED PRIVATE KEY" else { throw .encrypted }
        try self.init(der: block.bytes)
        try prove()
    }

    /// Signs once and verifies that: a key with a flipped bit still reads, and what it signs cannot be
    /// proven by its public half.
    func prove() throws(MalformedKey) {
        let message = Array("is the private half that of the public one?".utf8)
        let signature = try sign(message)
        guard PublicKey(of: self).verifies(signature, over: message) else { throw .damaged }
    }
}
