import COpenSSL

/// Returns random bytes from OpenSSL's generator.
///
/// If that cannot be seeded, the system's generator is used, which stops the process rather than return
/// predictable bytes.
package func randomBytes(_ count: Int) -> [UInt8] {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        let done = unsafe RAND_bytes(buffer.baseAddress, Int32(clamping: count))
        filled = done == 1 && count <= Int(Int32.max) ? count : 0
    }
    guard bytes.count != count else { return bytes }
    OpenSSL.takeFailure()
    var system = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &system) }
}

/// HMAC-SHA256 (RFC 2104): 32 bytes.
package func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, filled in
        let code = unsafe HMAC(
            DigestAlgorithm.sha256.method,
            key,
            Int32(clamping: key.count),
            bytes,
            bytes.count,
            buffer.baseAddress,
            nil,
        )
        precondition(unsafe code != nil, "OpenSSL has no HMAC")
        filled = 32
    }
}

/// Whether two secrets are equal, in a time that depends only on their lengths.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
