import COpenSSL

extension IdentityParts {
    /// Reads a PKCS#12 file (RFC 7292).
    ///
    /// macOS encrypts the certificates in its exports with RC2, which is in the legacy provider of
    /// OpenSSL 3; the provider is loaded for this call only.
    init(pkcs12 bytes: [UInt8], passphrase: String?) throws(MalformedIdentity) {
        defer { OpenSSL.takeFailure() }
        guard let library = unsafe OSSL_LIB_CTX_new() else {
            throw .notPKCS12(reason: OpenSSL.takeFailure())
        }
        defer { unsafe OSSL_LIB_CTX_free(library) }
        let modern = unsafe OSSL_PROVIDER_load(library, "default")
        defer { unsafe OSSL_PROVIDER_unload(modern) }
        let legacy = unsafe OSSL_PROVIDER_load(library, "legacy")
        defer { unsafe OSSL_PROVIDER_unload(legacy) }
        OpenSSL.takeFailure()
        var file = unsafe PKCS12_init_ex(NID_pkcs7_data, library, nil)
        guard unsafe file != nil else { throw .notPKCS12(reason: OpenSSL.takeFailure()) }
        defer { unsafe PKCS12_free(file) }
        let isRead = unsafe bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return unsafe d2i_PKCS12(&file, &cursor, buffer.count) != nil
        }
        guard isRead else { throw Self.refusal(of: bytes) }
        var reader = unsafe BagReader(
            library: library,
            hasLegacyProvider: legacy != nil,
            passphrase: passphrase,
        )
        try unsafe reader.verify(file)
        try unsafe reader.read(file)
        self = reader.parts
    }

    /// The error for DER that is not a PKCS#12 file.
    private static func refusal(of bytes: [UInt8]) -> MalformedIdentity {
        let reason = OpenSSL.takeFailure()
        if (try? Certificate(der: bytes)) != nil { return .noKey }
        if (try? PrivateKey(der: bytes)) != nil { return .noCertificate }
        return .notPKCS12(reason: reason)
    }
}

/// Reads the bags of one file; the rounds of each encryption are charged to the budget before it is
/// decrypted.
@safe private struct BagReader {
    let library: OpaquePointer
    let hasLegacyProvider: Bool
    /// Nil when none was given.
    let passphrase: String?
    var budget = StretchingBudget()
    var parts = IdentityParts()
    /// Whether the MAC has verified the passphrase.
    private var isProven = false
    /// Whether the empty passphrase is encoded as no bytes; other programs encode it as two zero bytes.
    private var isAbsent = false
    private var bags = 0

    init(library: OpaquePointer, hasLegacyProvider: Bool, passphrase: String?) {
        unsafe self.library = unsafe library
        self.hasLegacyProvider = hasLegacyProvider
        self.passphrase = passphrase
    }

    /// The error when the passphrase does not decrypt the file.
    private var wrongPassphrase: MalformedIdentity {
        switch passphrase {
        case nil: .passphraseNeeded
        case .some(""): .emptyPassphrase
        case .some: .wrongPassphrase
        }
    }

    // MARK: Integrity

    mutating func verify(_ file: OpaquePointer?) throws(MalformedIdentity) {
        guard unsafe PKCS12_mac_present(file) == 1 else { return }
        var algorithm: UnsafePointer<X509_ALGOR>?
        var rounds: UnsafePointer<ASN1_INTEGER>?
        unsafe PKCS12_get0_mac(nil, &algorithm, nil, &rounds, file)
        if let method = unsafe Self.encoded(algorithm), method.firstRange(of: Self.pbmac1) != nil {
            throw .unsupportedEncryption("1.2.840.113549.1.5.14")
        }
        // The default is 1 (RFC 7292 section 4).
        let count = unsafe rounds.map { unsafe ASN1_INTEGER_get($0) } ?? 1
        let words = passphrase ?? ""
        try budget.take(count)
        if !words.isEmpty {
            guard unsafe PKCS12_verify_mac(file, words, -1) == 1 else {
                throw wrongPassphrase
            }
        } else {
            try budget.take(count)
            isAbsent = unsafe PKCS12_verify_mac(file, nil, 0) == 1
            guard unsafe isAbsent || PKCS12_verify_mac(file, "", -1) == 1 else {
                throw wrongPassphrase
            }
        }
        isProven = true
    }

    /// PBMAC1 (RFC 9579) as an OBJECT IDENTIFIER.
    private static let pbmac1: [UInt8] = [
        0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0e,
    ]

    // MARK: Bags

    mutating func read(_ file: OpaquePointer?) throws(MalformedIdentity) {
        guard let contents = unsafe PKCS12_unpack_authsafes(file) else {
            throw .notPKCS12(reason: OpenSSL.takeFailure())
        }
        defer { unsafe ota_free_contents(contents) }
        let count = unsafe ota_content_count(contents)
        guard count <= IdentityFile.partLimit else {
            throw .tooManyParts(limit: IdentityFile.partLimit)
        }
        for index in 0..<max(0, count) {
            guard let content = unsafe ota_content_at(contents, index) else { continue }
            let bags: OpaquePointer?
            if unsafe ota_content_is_data(content) == 1 {
                unsafe bags = unsafe PKCS12_unpack_p7data(content)
                guard unsafe bags != nil else {
                    throw .notPKCS12(reason: OpenSSL.takeFailure())
                }
            } else if let algorithm = unsafe ota_content_algorithm(content) {
                unsafe try pay(for: algorithm)
                unsafe bags = unsafe withPassphrase { words, count in
                    unsafe PKCS12_unpack_p7encdata(content, words, count)
                }
                guard unsafe bags != nil else { throw decryptionFailure() }
            } else {
                // Encrypted with a public key (RFC 7292 section 4.1); skipped.
                continue
            }
            defer { unsafe ota_free_bags(bags) }
            unsafe try read(bags: bags, depth: 0)
        }
    }

    private mutating func read(
        bags list: OpaquePointer?,
        depth: Int,
    ) throws(MalformedIdentity) {
        for index in 0..<max(0, unsafe ota_bag_count(list)) {
            guard let bag = unsafe ota_bag_at(list, index) else { continue }
            bags += 1
            guard bags <= 4 * IdentityFile.partLimit, depth < 8 else {
                throw .tooManyParts(limit: IdentityFile.partLimit)
            }
            switch unsafe PKCS12_SAFEBAG_get_nid(bag) {
            case NID_certBag:
                guard let certificate = unsafe PKCS12_SAFEBAG_get1_cert(bag) else { continue }
                defer { unsafe X509_free(certificate) }
                guard let der = unsafe OpenSSL.encoded({ unsafe i2d_X509(certificate, $0) }) else {
                    continue
                }
                try parts.add(certificate: der)
            case NID_keyBag:
                unsafe try add(PKCS12_SAFEBAG_get0_p8inf(bag))
            case NID_pkcs8ShroudedKeyBag:
                unsafe try decrypt(bag)
            case NID_safeContentsBag:
                unsafe try read(bags: PKCS12_SAFEBAG_get0_safes(bag), depth: depth + 1)
            default: continue
            }
        }
    }

    private mutating func decrypt(_ bag: OpaquePointer) throws(MalformedIdentity) {
        var algorithm: UnsafePointer<X509_ALGOR>?
        unsafe X509_SIG_get0(PKCS12_SAFEBAG_get0_pkcs8(bag), &algorithm, nil)
        unsafe try pay(for: algorithm)
        let decrypted = unsafe withPassphrase { words, count in
            unsafe PKCS12_decrypt_skey_ex(bag, words, count, library, nil)
        }
        guard let info = unsafe decrypted else { throw decryptionFailure() }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        unsafe try add(info)
    }

    private mutating func add(_ info: OpaquePointer?) throws(MalformedIdentity) {
        let library = unsafe library
        try parts.add { () throws(MalformedKey) in
            guard let key = unsafe EVP_PKCS82PKEY_ex(info, library, nil) else {
                throw .notAKey(reason: OpenSSL.takeFailure())
            }
            defer { unsafe EVP_PKEY_free(key) }
            return try unsafe PrivateKey(copying: key)
        }
    }

    // MARK: Encryption

    private mutating func pay(
        for algorithm: UnsafePointer<X509_ALGOR>?
    ) throws(MalformedIdentity) {
        guard let encoded = unsafe Self.encoded(algorithm) else { throw .notPKCS12(reason: nil) }
        try budget.take(for: encoded)
    }

    private func decryptionFailure() -> MalformedIdentity {
        let reason = OpenSSL.takeFailure()
        // If the MAC was correct, so is the passphrase.
        guard isProven else { return wrongPassphrase }
        return hasLegacyProvider ? .notPKCS12(reason: reason) : .noLegacyProvider
    }

    private func withPassphrase<Result>(
        _ body: (UnsafePointer<CChar>?, Int32) -> Result
    ) -> Result {
        if isAbsent { return body(nil, 0) }
        return unsafe (passphrase ?? "").withCString { unsafe body($0, -1) }
    }

    private static func encoded(_ algorithm: UnsafePointer<X509_ALGOR>?) -> [UInt8]? {
        guard let algorithm = unsafe algorithm else { return nil }
        return unsafe OpenSSL.encoded { unsafe i2d_X509_ALGOR(algorithm, $0) }
    }
}
