import COpenSSL

/// SHA-256 over bytes that arrive in pieces.
@safe package final class SHA256Hasher {
    private let context: OpaquePointer

    package init() {
        guard let context = unsafe EVP_MD_CTX_new() else {
            preconditionFailure("out of memory")
        }
        unsafe self.context = unsafe context
        begin()
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    package func update(_ bytes: UnsafeRawBufferPointer) {
        let done = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(done == 1, "SHA-256 could not continue")
    }

    package func update(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    package func update(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    /// The digest of everything since the start or the last `finish`; the hasher then begins anew.
    package func finish() -> SHA256Digest {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, filled in
            let done = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
            precondition(done == 1, "SHA-256 could not finish")
            filled = 32
        }
        begin()
        return SHA256Digest(finished: bytes)
    }

    private func begin() {
        let done = unsafe EVP_DigestInit_ex(context, DigestAlgorithm.sha256.method, nil)
        precondition(done == 1, "OpenSSL has no SHA-256")
    }
}
