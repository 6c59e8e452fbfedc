import COpenSSL
package import Problems

/// A PKCS#12 file that gives no identity.
package enum MalformedIdentity: ReportableError, Equatable {
    case notPKCS12(reason: String?)
    /// The integrity code does not match: a wrong passphrase, or a damaged file.
    case wrongPassphrase
    case noKey
    case noCertificate
    case key(MalformedKey)
    case certificate(MalformedCertificate)

    package var description: String {
        switch self {
        case .notPKCS12(let reason):
            "not a readable PKCS#12 file" + (reason.map { ": \($0)" } ?? "")
        case .wrongPassphrase: "passphrase is wrong or the PKCS#12 file is damaged"
        case .noKey: "PKCS#12 file has no private key"
        case .noCertificate: "PKCS#12 file has no certificate for its key"
        case .key(let malformed): "\(malformed)"
        case .certificate(let malformed): "\(malformed)"
        }
    }
}

extension MalformedIdentity {
    package var id: String {
        switch self {
        case .key(let malformed): malformed.id
        case .certificate(let malformed): malformed.id
        case .notPKCS12, .wrongPassphrase, .noKey, .noCertificate: "identity.malformed"
        }
    }

    package var kind: Problem.Kind { .invalid }

    package var fix: String {
        switch self {
        case .wrongPassphrase: "give the passphrase that the file was exported with"
        case .key(let malformed): malformed.fix
        case .certificate(let malformed): malformed.fix
        case .notPKCS12, .noKey, .noCertificate:
            "export the certificate with its private key from Keychain Access as .p12"
        }
    }
}

extension SigningIdentity {
    /// Reads the key, its certificate and the certificates above it from a `.p12` file.
    ///
    /// Files that macOS exports encrypt their certificates with RC2, which OpenSSL 3 keeps in its
    /// legacy provider; that is loaded for this call alone.
    package init(pkcs12 bytes: [UInt8], passphrase: String) throws(MalformedIdentity) {
        defer { OpenSSL.takeFailure() }
        guard let library = unsafe OSSL_LIB_CTX_new() else {
            throw .notPKCS12(reason: OpenSSL.takeFailure())
        }
        defer { unsafe OSSL_LIB_CTX_free(library) }
        let modern = unsafe OSSL_PROVIDER_load(library, "default")
        defer { unsafe OSSL_PROVIDER_unload(modern) }
        let legacy = unsafe OSSL_PROVIDER_load(library, "legacy")
        defer { unsafe OSSL_PROVIDER_unload(legacy) }
        var file = unsafe PKCS12_init_ex(NID_pkcs7_data, library, nil)
        guard unsafe file != nil else { throw .notPKCS12(reason: OpenSSL.takeFailure()) }
        defer { unsafe PKCS12_free(file) }
        let isRead = unsafe bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return unsafe d2i_PKCS12(&file, &cursor, buffer.count) != nil
        }
        guard isRead else { throw .notPKCS12(reason: OpenSSL.takeFailure()) }
        guard
            unsafe PKCS12_verify_mac(file, passphrase, -1) == 1
                || (passphrase.isEmpty && PKCS12_verify_mac(file, nil, 0) == 1)
        else { throw .wrongPassphrase }
        try unsafe self.init(parsing: file, passphrase: passphrase)
    }

    private init(parsing file: OpaquePointer?, passphrase: String) throws(MalformedIdentity) {
        var key: OpaquePointer?
        var leaf: OpaquePointer?
        var others: OpaquePointer?
        guard unsafe PKCS12_parse(file, passphrase, &key, &leaf, &others) == 1 else {
            throw .notPKCS12(reason: OpenSSL.takeFailure())
        }
        defer {
            unsafe EVP_PKEY_free(key)
            unsafe X509_free(leaf)
            unsafe ota_free_certificates(others)
        }
        guard let found = unsafe key else { throw .noKey }
        let privateKey: PrivateKey
        do throws(MalformedKey) {
            privateKey = try unsafe PrivateKey(copying: found)
        } catch {
            throw .key(error)
        }
        guard let own = unsafe leaf else { throw .noCertificate }
        let certificate = unsafe try Self.certificate(own)
        var above: [Certificate] = []
        let count = unsafe ota_certificate_count(others)
        for index in 0..<max(0, count) {
            guard let other = unsafe ota_certificate_at(others, index) else { continue }
            above.append(unsafe try Self.certificate(other))
        }
        self.init(
            certificate: certificate,
            key: privateKey,
            chain: Self.issuersFirst(above, over: certificate),
        )
    }

    /// Each issuer after what it issued; certificates of other chains last.
    private static func issuersFirst(
        _ certificates: [Certificate],
        over leaf: Certificate,
    ) -> [Certificate] {
        var ordered: [Certificate] = []
        var rest = certificates
        var top = leaf
        while let next = rest.firstIndex(where: { $0.subject == top.issuer }) {
            top = rest.remove(at: next)
            ordered.append(top)
        }
        return ordered + rest
    }

    private static func certificate(
        _ x509: OpaquePointer
    ) throws(MalformedIdentity) -> Certificate {
        guard let der = unsafe OpenSSL.encoded({ unsafe i2d_X509(x509, $0) }) else {
            throw .noCertificate
        }
        do throws(MalformedCertificate) {
            return try Certificate(der: der)
        } catch {
            throw .certificate(error)
        }
    }
}
