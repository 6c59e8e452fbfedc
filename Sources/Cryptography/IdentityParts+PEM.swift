import COpenSSL

extension IdentityParts {
    /// Reads the keys and certificates of a PEM text, ignoring blocks of other kinds.
    init(pem bytes: [UInt8], passphrase: String?) throws(MalformedIdentity) {
        guard let blocks = PEM.blocks(in: String(decoding: bytes, as: UTF8.self)) else {
            throw .unknownFormat
        }
        var budget = StretchingBudget()
        for block in blocks {
            if ["CERTIFICATE", "X509 CERTIFICATE"].contains(block.label) {
                try add(certificate: block.bytes)
            } else if block.label == "ENCRYPTED PRIVATE KEY" {
                let words = try Self.words(passphrase)
                try add(encrypted: block.bytes, words, &budget)
            } else if block.label.hasSuffix("PRIVATE KEY"), block.isEncrypted {
                let words = try Self.words(passphrase)
                try add(traditional: block, words)
            } else if block.label.hasSuffix("PRIVATE KEY") {
                try add { () throws(MalformedKey) in try PrivateKey(der: block.bytes) }
            }
        }
    }

    private static func words(_ passphrase: String?) throws(MalformedIdentity) -> String {
        guard let passphrase else { throw .passphraseNeeded }
        guard !passphrase.isEmpty else { throw .emptyPassphrase }
        return passphrase
    }

    /// Adds an EncryptedPrivateKeyInfo (RFC 5958 section 3).
    private mutating func add(
        encrypted der: [UInt8],
        _ passphrase: String,
        _ budget: inout StretchingBudget,
    ) throws(MalformedIdentity) {
        defer { OpenSSL.takeFailure() }
        let read = unsafe OpenSSL.decoded(
            der,
            { cursor, count in unsafe d2i_X509_SIG(nil, cursor, count) },
            { unsafe X509_SIG_free($0) },
        )
        guard let file = unsafe read else {
            throw .key(.notAKey(reason: OpenSSL.takeFailure()))
        }
        defer { unsafe X509_SIG_free(file) }
        var algorithm: UnsafePointer<X509_ALGOR>?
        unsafe X509_SIG_get0(file, &algorithm, nil)
        let method = unsafe algorithm.flatMap { method in
            unsafe OpenSSL.encoded { unsafe i2d_X509_ALGOR(method, $0) }
        }
        try budget.take(for: method ?? [])
        guard let info = unsafe PKCS8_decrypt(file, passphrase, -1) else {
            throw .wrongPassphrase
        }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        guard let plain = unsafe OpenSSL.encoded({ unsafe i2d_PKCS8_PRIV_KEY_INFO(info, $0) })
        else { throw .wrongPassphrase }
        try add { () throws(MalformedKey) in try PrivateKey(der: plain) }
    }

    /// Adds a key encrypted according to its RFC 1421 headers; its passphrase takes one round of key
    /// derivation.
    private mutating func add(
        traditional block: PEM.Block,
        _ passphrase: String,
    ) throws(MalformedIdentity) {
        defer { OpenSSL.takeFailure() }
        let text = Array(block.text.utf8)
        var words = Array(passphrase.utf8CString)
        let read = unsafe text.withUnsafeBytes { bytes -> OpaquePointer? in
            let count = Int32(clamping: bytes.count)
            guard let source = unsafe BIO_new_mem_buf(bytes.baseAddress, count) else { return nil }
            defer { unsafe BIO_free(source) }
            return unsafe words.withUnsafeMutableBufferPointer { words in
                unsafe PEM_read_bio_PrivateKey(source, nil, nil, words.baseAddress)
            }
        }
        guard let key = unsafe read else { throw .wrongPassphrase }
        defer { unsafe EVP_PKEY_free(key) }
        try add { () throws(MalformedKey) in try unsafe PrivateKey(copying: key) }
    }
}
