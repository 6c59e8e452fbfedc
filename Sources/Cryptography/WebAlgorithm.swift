import COpenSSL

/// A signature algorithm of JSON Web Algorithms with a public key: RFC 7518 sections 3.3 to 3.5 and RFC
/// 8037 section 3.1.
///
/// There is no case for `none`, which proves nothing, and none for HMAC, whose key both sides know.
package enum WebAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    /// With Ed25519 keys.
    case edDSA = "EdDSA"

    /// The size of R and of S in bytes; nil for algorithms other than ECDSA.
    var width: Int? {
        switch self {
        case .es256: 32
        case .es384: 48
        case .es512: 66
        default: nil
        }
    }

    /// Whether the signature is padded as RSASSA-PSS.
    var isPSS: Bool { [.ps256, .ps384, .ps512].contains(self) }

    /// The digest for claims such as `at_hash` (OpenID Connect Core 3.1.3.6).
    package func digest(of bytes: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, filled in
            var count: UInt32 = 0
            let done = unsafe EVP_Digest(
                bytes,
                bytes.count,
                buffer.baseAddress,
                &count,
                method,
                nil,
            )
            precondition(done == 1, "OpenSSL has no digest for \(rawValue)")
            filled = Int(count)
        }
    }

    private var method: OpaquePointer? {
        switch self {
        case .rs256, .ps256, .es256: unsafe EVP_sha256()
        case .rs384, .ps384, .es384: unsafe EVP_sha384()
        case .rs512, .ps512, .es512, .edDSA: unsafe EVP_sha512()
        }
    }

    /// Whether the algorithm uses keys of this kind and, for ECDSA, of this size.
    private func isFor(_ key: OpaquePointer) -> Bool {
        let kind = unsafe EVP_PKEY_get_base_id(key)
        let bits = unsafe EVP_PKEY_get_bits(key)
        return switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: kind == EVP_PKEY_RSA
        case .es256: kind == EVP_PKEY_EC && bits == 256
        case .es384: kind == EVP_PKEY_EC && bits == 384
        case .es512: kind == EVP_PKEY_EC && bits == 521
        case .edDSA: kind == EVP_PKEY_ED25519
        }
    }

    /// Whether `key` made `signature` over `message`; an ECDSA signature is in DER.
    fileprivate func verifies(
        _ signature: [UInt8],
        over message: [UInt8],
        by key: OpaquePointer,
    ) -> Bool {
        // Without this check, OpenSSL would choose a digest for a key of another kind.
        guard unsafe isFor(key), let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        var options: OpaquePointer?
        // Ed25519 hashes by itself.
        let digest = unsafe self == .edDSA ? nil : method
        guard unsafe EVP_DigestVerifyInit(context, &options, digest, nil, key) == 1 else {
            return false
        }
        if isPSS {
            // The salt is as long as the digest (RFC 7518 section 3.5).
            guard unsafe EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1
            else { return false }
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

extension PublicKey {
    /// Whether the key made `signature` over `message`; the signature is in the form of tokens.
    ///
    /// False for a key of another kind; the caller must know which algorithms a key is allowed to use.
    package func verifies(
        _ signature: [UInt8],
        over message: [UInt8],
        by algorithm: WebAlgorithm,
    ) -> Bool {
        var encoded = signature
        if let width = algorithm.width {
            guard signature.count == 2 * width else { return false }
            encoded = DERBytes.sequence(
                DERBytes.integer(magnitude: signature[..<width]),
                DERBytes.integer(magnitude: signature[width...]),
            )
        }
        return unsafe verifies { unsafe algorithm.verifies(encoded, over: message, by: $0) }
    }
}
