import COpenSSL

/// A digest over bytes that arrive in pieces.
@safe package final class DigestHasher {
    private let algorithm: DigestAlgorithm
    private let context: OpaquePointer

    package init(_ algorithm: DigestAlgorithm) {
        guard let context = unsafe EVP_MD_CTX_new() else {
            preconditionFailure("out of memory")
        }
        self.algorithm = algorithm
        unsafe self.context = unsafe context
        begin()
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    package func update(_ bytes: UnsafeRawBufferPointer) {
        let done = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(done == 1, "the digest could not continue")
    }

    package func update(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { buffer in
            unsafe update(UnsafeRawBufferPointer(buffer))
        }
        if isDone == nil { update(Array(bytes)) }
    }

    /// The digest of everything since the start or the last `finish`; the hasher then begins anew.
    package func finish() -> [UInt8] {
        let size = algorithm.size
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            let done = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
            precondition(done == 1, "the digest could not finish")
            filled = size
        }
        begin()
        return bytes
    }

    private func begin() {
        let done = unsafe EVP_DigestInit_ex(context, algorithm.method, nil)
        precondition(done == 1, "OpenSSL has no such digest")
    }
}
