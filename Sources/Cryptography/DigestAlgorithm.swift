import COpenSSL

/// The hash algorithms of Apple's formats.
package enum DigestAlgorithm: String, CaseIterable, Sendable {
    case sha1
    case sha256
    case sha384

    /// The length of a digest in bytes.
    package var size: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        }
    }

    package func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
        let inPlace = bytes.withContiguousStorageIfAvailable { buffer in
            unsafe digest(of: UnsafeRawBufferPointer(buffer))
        }
        return inPlace ?? digest(of: Array(bytes))
    }

    /// The digest of bytes in memory, such as one page of a file.
    package func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            let done = unsafe EVP_Digest(
                bytes.baseAddress,
                bytes.count,
                buffer.baseAddress,
                nil,
                method,
                nil,
            )
            precondition(done == 1, "OpenSSL has no \(rawValue)")
            filled = size
        }
    }

    /// The fetched implementation: OpenSSL would look up `EVP_sha256()` on every use.
    var method: OpaquePointer? {
        switch self {
        case .sha1: unsafe OpaquePointer(bitPattern: Self.sha1Address)
        case .sha256: unsafe OpaquePointer(bitPattern: Self.sha256Address)
        case .sha384: unsafe OpaquePointer(bitPattern: Self.sha384Address)
        }
    }

    // Kept as addresses because a pointer is not Sendable; the methods live as long as the process.
    private static let sha1Address = fetch("SHA1")
    private static let sha256Address = fetch("SHA256")
    private static let sha384Address = fetch("SHA384")

    private static func fetch(_ name: String) -> UInt {
        unsafe UInt(bitPattern: EVP_MD_fetch(nil, name, nil))
    }
}
