import COpenSSL

/// An RSA or elliptic-curve private key.
package struct PrivateKey: Sendable {
    package enum Recipe: Sendable {
        case p256
        case rsa2048
        /// The size of Apple's device authority and older devices; too short for new keys.
        case rsa1024
    }

    /// PrivateKeyInfo (RFC 5208), unencrypted, in DER.
    package let der: [UInt8]
    package let kind: KeyKind
    /// SubjectPublicKeyInfo in DER.
    package let publicKey: [UInt8]
    private let object: OpenSSLObject

    /// Generates a key; RSA takes up to a second.
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
        return try unsafe PrivateKey(OpenSSLObject(owning: key) { unsafe EVP_PKEY_free($0) })
    }

    /// Reads a key in PKCS#8, PKCS#1 or SEC 1 form.
    package init(der: [UInt8]) throws(MalformedKey) {
        guard let key = OpenSSLObject(privateKey: der) else {
            throw .notAKey(reason: OpenSSL.takeFailure())
        }
        try self.init(key)
    }

    /// Copies a key that the caller frees, perhaps together with the OpenSSL library context that created
    /// it.
    init(copying key: OpaquePointer) throws(MalformedKey) {
        try unsafe self.init(der: Self.bytes(of: key))
    }

    private init(_ object: OpenSSLObject) throws(MalformedKey) {
        self = try unsafe object { key throws(MalformedKey) in
            try unsafe PrivateKey(object, key)
        }
    }

    private init(_ object: OpenSSLObject, _ key: OpaquePointer) throws(MalformedKey) {
        defer { OpenSSL.takeFailure() }
        self.object = object
        kind = unsafe KeyKind(key)
        if case .other = kind { throw .unsupported(kind) }
        der = try unsafe Self.bytes(of: key)
        guard let open = unsafe OpenSSL.encoded({ unsafe i2d_PUBKEY(key, $0) }) else {
            throw .notAKey(reason: OpenSSL.takeFailure())
        }
        publicKey = open
    }

    private static func bytes(of key: OpaquePointer) throws(MalformedKey) -> [UInt8] {
        guard let info = unsafe EVP_PKEY2PKCS8(key) else {
            throw .notAKey(reason: OpenSSL.takeFailure())
        }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        guard let bytes = unsafe OpenSSL.encoded({ unsafe i2d_PKCS8_PRIV_KEY_INFO(info, $0) })
        else { throw .notAKey(reason: OpenSSL.takeFailure()) }
        return bytes
    }

    /// Whether `certificate` certifies this key.
    package func matches(_ certificate: Certificate) -> Bool {
        defer { OpenSSL.takeFailure() }
        return unsafe object { key in
            unsafe certificate.object { x509 in
                guard let other = unsafe X509_get0_pubkey(x509) else { return false }
                return unsafe EVP_PKEY_eq(key, other) == 1
            }
        }
    }

    /// Hashes and signs `message`: PKCS#1 v1.5 for RSA, DER-encoded ECDSA for elliptic curves.
    package func sign(
        _ message: [UInt8],
        digest: DigestAlgorithm = .sha256,
    ) throws(MalformedKey) -> [UInt8] {
        try unsafe object { key throws(MalformedKey) in
            try unsafe Self.sign(message, with: key, digest: digest)
        }
    }

    private static func sign(
        _ message: [UInt8],
        with key: OpaquePointer,
        digest: DigestAlgorithm,
    ) throws(MalformedKey) -> [UInt8] {
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
}

extension PrivateKey {
    /// PKCS#8 in PEM form, unencrypted, with a final newline.
    package var pem: String { PEM.text("PRIVATE KEY", der) }

    /// Reads the first private key of a PEM file, ignoring certificates beside it.
    ///
    /// - Throws: ``MalformedKey``; ``MalformedKey/encrypted`` when the key needs a passphrase.
    package init(pem: String) throws(MalformedKey) {
        let blocks = PEM.blocks(in: pem) ?? []
        guard let block = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
            throw .noKeyInText
        }
        guard !block.isEncrypted, block.label != "ENCRYPTED PRIVATE KEY" else { throw .encrypted }
        try self.init(der: block.bytes)
        try prove()
    }

    /// Signs once and verifies the signature: OpenSSL also parses a key with a flipped bit, but its
    /// signatures do not verify.
    func prove() throws(MalformedKey) {
        let message = Array("is the private half that of the public one?".utf8)
        let signature = try sign(message)
        guard PublicKey(of: self).verifies(signature, over: message) else { throw .damaged }
    }
}
