import COpenSSL

/// An incremental hash.
@safe package final class DigestHasher {
    private let context: OpaquePointer
    private let method: OpaquePointer?
    /// Whether a digest was made since the last byte.
    private var isFinished = false

    package convenience init(_ algorithm: DigestAlgorithm) {
        unsafe self.init(algorithm.method)
    }

    /// MD5, which installation manifests may still use: it detects damage, but not an attack.
    package static func md5() -> DigestHasher { unsafe DigestHasher(EVP_md5()) }

    private init(_ method: OpaquePointer?) {
        guard let context = unsafe EVP_MD_CTX_new() else {
            preconditionFailure("out of memory")
        }
        unsafe self.context = unsafe context
        unsafe self.method = unsafe method
        begin()
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    package func update(_ bytes: UnsafeRawBufferPointer) {
        if isFinished { begin() }
        let done = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(done == 1, "the digest could not continue")
    }

    package func update(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { buffer in
            unsafe update(UnsafeRawBufferPointer(buffer))
        }
        if isDone == nil { update(Array(bytes)) }
    }

    /// Returns the digest of all bytes since the start or the last `finish`, and resets the hasher.
    package func finish() -> [UInt8] {
        if isFinished { begin() }
        let size = Int(unsafe EVP_MD_get_size(method))
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            let done = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
            precondition(done == 1, "the digest could not finish")
            filled = size
        }
        isFinished = true
        return bytes
    }

    private func begin() {
        isFinished = false
        let done = unsafe EVP_DigestInit_ex(context, method, nil)
        precondition(done == 1, "OpenSSL has no such digest")
    }
}
