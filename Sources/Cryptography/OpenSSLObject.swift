import COpenSSL

/// An object that OpenSSL reads once, freed with the last value that has it.
///
/// Reading a key or certificate costs OpenSSL 3 more than a signature does, as it looks for a decoder each time.
///
/// Values on several threads share one: nothing changes it once it was read, and OpenSSL's objects may be
/// used by several threads as long as nothing changes them.
@safe final class OpenSSLObject: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let free: @Sendable (OpaquePointer) -> Void

    /// Takes over what the caller would have freed.
    init(owning pointer: OpaquePointer, _ free: @escaping @Sendable (OpaquePointer) -> Void) {
        unsafe self.pointer = pointer
        unsafe self.free = free
    }

    deinit { unsafe free(pointer) }

    /// Runs `body` with the object, which is not to be kept.
    func callAsFunction<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { extendLifetime(self) }
        return try unsafe body(pointer)
    }
}

extension OpenSSLObject {
    /// An X.509 certificate; nil when these bytes are none, or more than one.
    convenience init?(certificate der: [UInt8]) {
        unsafe self.init(der, { unsafe d2i_X509(nil, $0, $1) }, { unsafe X509_free($0) })
    }

    /// A private key in PKCS#8, PKCS#1 or SEC 1.
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
