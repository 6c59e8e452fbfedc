import Bytes
import COpenSSL

/// The key that secrets are sealed with while they rest: AES-256 in Galois/Counter Mode (NIST SP
/// 800-38D), with 12 unpredictable bytes as nonce for each seal.
///
/// It lives outside the store, so that no one who has the store, or a backup of it, has the secrets.
package struct SealingKey: Sendable {
    /// 32 bytes.
    private let bytes: [UInt8]
    /// 16 hexadecimal digits that tell keys apart, and tell nothing of the key.
    package let identifier: String

    /// - Returns: nil unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
        let code = authenticationCode(of: Array("ota sealing key identifier".utf8), key: bytes)
        identifier = Hex.encode(code.prefix(8))
    }

    /// A new key, made of `random`'s 32 bytes.
    package init(random: (Int) -> [UInt8]) {
        guard let key = SealingKey(bytes: random(32)) else {
            preconditionFailure("a sealing key needs 32 random bytes")
        }
        self = key
    }

    /// Reads what ``text`` wrote: 64 hexadecimal digits; white space around them is passed over.
    package init?(text: String) {
        guard let bytes = Hex.decode(text.trimmingWhitespace()) else { return nil }
        self.init(bytes: bytes)
    }

    /// 64 hexadecimal digits and a line feed, as key files hold them.
    package var text: String { Hex.encode(bytes) + "\n" }

    /// Seals `secret`.
    ///
    /// - Parameters:
    ///   - secret: is in the result, but cannot be read from it.
    ///   - purpose: what the secret is; only who names the same can open it.
    /// - Returns: the sealed secret.
    package func seal(_ secret: [UInt8], as purpose: SealingPurpose) -> SealedBytes {
        let nonce = randomBytes(SealedBytes.nonceCount)
        var tag = [UInt8](repeating: 0, count: SealedBytes.tagCount)
        let header = purpose.associatedData(key: identifier)
        let sealed = Self.run(secret, bytes, nonce, header, isSealing: true, tag: &tag)
        guard let sealed else { preconditionFailure("OpenSSL has no AES-256-GCM") }
        return SealedBytes(key: identifier, nonce: nonce, bytes: sealed + tag)
    }

    /// The secret that was sealed as `purpose`.
    ///
    /// - Throws: ``SealRefusal``.
    package func open(
        _ sealed: SealedBytes,
        as purpose: SealingPurpose,
    ) throws(SealRefusal) -> [UInt8] {
        guard sealed.key == identifier else {
            throw .otherKey(purpose, sealedWith: sealed.key, given: identifier)
        }
        let count = sealed.bytes.count - SealedBytes.tagCount
        guard count >= 0, sealed.nonce.count == SealedBytes.nonceCount else {
            throw .damaged(purpose)
        }
        var tag = Array(sealed.bytes[count...])
        let header = purpose.associatedData(key: identifier)
        let opened = Self.run(
            Array(sealed.bytes[..<count]),
            bytes,
            Array(sealed.nonce),
            header,
            isSealing: false,
            tag: &tag,
        )
        guard let opened else { throw .damaged(purpose) }
        return opened
    }

    /// Encrypts and fills the tag in, or decrypts and compares it; nil where it does not match.
    private static func run(
        _ input: [UInt8],
        _ key: [UInt8],
        _ nonce: [UInt8],
        _ header: [UInt8],
        isSealing: Bool,
        tag: inout [UInt8],
    ) -> [UInt8]? {
        defer { OpenSSL.takeFailure() }
        guard input.count < 1 << 30, let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let direction: Int32 = isSealing ? 1 : 0
        var length: Int32 = 0
        guard
            unsafe EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce, direction) == 1,
            unsafe EVP_CipherUpdate(context, nil, &length, header, Int32(header.count)) == 1
        else { return nil }
        // A sealed secret may be empty; the buffer may not.
        var output = [UInt8](repeating: 0, count: input.count + 1)
        var rest: Int32 = 0
        guard
            unsafe EVP_CipherUpdate(context, &output, &length, input, Int32(input.count)) == 1,
            length == Int32(input.count)
        else { return nil }
        output.removeLast()
        let count = Int32(tag.count)
        if !isSealing {
            let isSet = unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, count, &tag)
            guard isSet == 1 else { return nil }
        }
        var end = [UInt8](repeating: 0, count: 16)
        guard unsafe EVP_CipherFinal_ex(context, &end, &rest) == 1, rest == 0 else { return nil }
        if isSealing {
            let isRead = unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, count, &tag)
            guard isRead == 1 else { return nil }
        }
        return output
    }
}
