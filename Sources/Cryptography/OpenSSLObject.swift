import COpenSSL

/// An OpenSSL object that is parsed once and freed with the last value that holds it.
///
/// Parsing a key or certificate takes OpenSSL 3 longer than a signature does, because it looks for a
/// decoder each time.
///
/// Values on several threads share one object. That is safe because nothing changes it after it was
/// parsed, and OpenSSL allows concurrent reads.
@safe final class OpenSSLObject: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let free: @Sendable (OpaquePointer) -> Void

    /// Takes ownership; the object is freed with `free`.
    init(owning pointer: OpaquePointer, _ free: @escaping @Sendable (OpaquePointer) -> Void) {
        unsafe self.pointer = pointer
        unsafe self.free = free
    }

    deinit { unsafe free(pointer) }

    /// Runs `body` with the object, which must not escape.
    func callAsFunction<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { extendLifetime(self) }
        return try unsafe body(pointer)
    }
}

extension OpenSSLObject {
    /// An X.509 certificate; nil unless the bytes are exactly one.
    convenience init?(certificate der: [UInt8]) {
        unsafe self.init(der, { unsafe d2i_X509(nil, $0, $1) }, { unsafe X509_free($0) })
    }

    /// A private key in PKCS#8, PKCS#1 or SEC 1 form.
    convenience init?(privateKey der: [UInt8]) {
        unsafe self.init(
            der,
            { unsafe d2i_AutoPrivateKey(nil, $0, $1) },
            { unsafe EVP_PKEY_free($0) },
        )
    }

    /// A public key as SubjectPublicKeyInfo.
    convenience init?(publicKey der: [UInt8]) {
        unsafe self.init(der, { unsafe d2i_PUBKEY(nil, $0, $1) }, { unsafe EVP_PKEY_free($0) })
    }

    private convenience init?(
        _ der: [UInt8],
        _ decode: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?,
        _ free: @escaping @Sendable (OpaquePointer) -> Void,
    ) {
        guard let object = unsafe OpenSSL.decoded(der, decode, free) else { return nil }
        unsafe self.init(owning: object, free)
    }
}
