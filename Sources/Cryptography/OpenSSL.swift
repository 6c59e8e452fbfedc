import COpenSSL

/// Helpers for calls into OpenSSL.
enum OpenSSL {
    /// Empties this thread's error queue and returns the newest reason in it.
    @discardableResult
    static func takeFailure() -> String? {
        let code = ERR_peek_last_error()
        defer { ERR_clear_error() }
        guard code != 0, let reason = unsafe ERR_reason_error_string(code) else { return nil }
        return unsafe String(cString: reason)
    }

    /// Returns the output of an `i2d_…` function, which is called first for the length and then for the
    /// bytes.
    static func encoded(
        _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) -> [UInt8]? {
        let count = Int(encode(nil))
        guard count > 0 else { return nil }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var cursor = buffer.baseAddress
            filled = unsafe min(count, max(0, Int(encode(&cursor))))
        }
    }

    /// Runs a `d2i_…` function over all of `bytes`; nil when it fails or leaves bytes unread.
    ///
    /// The caller frees the result.
    static func decoded(
        _ bytes: [UInt8],
        _ decode: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?,
        _ free: (OpaquePointer) -> Void,
    ) -> OpaquePointer? {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            guard let object = unsafe decode(&cursor, buffer.count) else { return nil }
            guard let start = buffer.baseAddress, let end = unsafe cursor,
                unsafe end - start == buffer.count
            else {
                unsafe free(object)
                return nil
            }
            return unsafe object
        }
    }

    /// Whether a public key made `signature` over `message`.
    static func verifies(
        _ signature: [UInt8],
        over message: [UInt8],
        by key: OpaquePointer,
        digest: DigestAlgorithm,
    ) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestVerifyInit(context, nil, digest.method, nil, key) == 1 else {
            return false
        }
        return unsafe EVP_DigestVerify(
            context,
            signature,
            signature.count,
            message,
            message.count,
        ) == 1
    }
}
