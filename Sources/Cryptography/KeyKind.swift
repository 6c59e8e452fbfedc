import COpenSSL

/// The kind of a key in a certificate or a file.
package enum KeyKind: Hashable, Sendable, CustomStringConvertible {
    case rsa(bits: Int)
    case ellipticCurve(String)
    /// A key of a kind that is not supported here, neither for signing nor for verifying.
    case other(String)

    /// `RSA 2048`, `EC P-256`.
    package var description: String {
        switch self {
        case .rsa(let bits): "RSA \(bits)"
        case .ellipticCurve(let curve): "EC \(curve)"
        case .other(let name): name
        }
    }

    init(_ key: OpaquePointer?) {
        guard let key = unsafe key else {
            self = .other("unknown key")
            return
        }
        let type = unsafe EVP_PKEY_get_base_id(key)
        switch type {
        case EVP_PKEY_RSA:
            self = unsafe .rsa(bits: Int(EVP_PKEY_get_bits(key)))
        case EVP_PKEY_EC:
            self = unsafe .ellipticCurve(Self.curve(of: key))
        default:
            self = .other(
                unsafe OBJ_nid2sn(type).map { unsafe String(cString: $0) } ?? "unknown key"
            )
        }
    }

    private static func curve(of key: OpaquePointer) -> String {
        var length = 0
        let name = unsafe [CChar](unsafeUninitializedCapacity: 64) { buffer, filled in
            let done = unsafe EVP_PKEY_get_group_name(key, buffer.baseAddress, 64, &length)
            filled = done == 1 ? min(64, length) : 0
        }
        let text = String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let common = ["prime256v1": "P-256", "secp384r1": "P-384", "secp521r1": "P-521"]
        return common[text] ?? text
    }
}
