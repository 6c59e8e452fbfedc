import Bytes
import COpenSSL

/// The key that encrypts stored secrets: AES-256 in Galois/Counter Mode (NIST SP 800-38D), with a random
/// nonce of 12 bytes for each secret.
///
/// It is stored outside the store, so that a copy or a backup of the store does not reveal the secrets.
package struct SealingKey: Sendable {
    /// 32 bytes.
    private let bytes: [UInt8]
    /// 16 hexadecimal digits that identify the key without revealing it.
    package let identifier: String

    /// - Returns: nil unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
        let code = authenticationCode(of: Array("ota sealing key identifier".utf8), key: bytes)
        identifier = Hex.encode(code.prefix(8))
    }

    /// Creates a key from 32 bytes of `random`.
    package init(random: (Int) -> [UInt8]) {
        guard let key = SealingKey(bytes: random(32)) else {
            preconditionFailure("a sealing key needs 32 random bytes")
        }
        self = key
    }

    /// Parses ``text``: 64 hexadecimal digits, with optional white space around them.
    package init?(text: String) {
        guard let bytes = Hex.decode(text.trimmingWhitespace()) else { return nil }
        self.init(bytes: bytes)
    }

    /// The contents of a key file: 64 hexadecimal digits and a line feed.
    package var text: String { Hex.encode(bytes) + "\n" }

    /// Encrypts `secret` with a new nonce.
    ///
    /// - Parameters:
    ///   - secret: the bytes to encrypt.
    ///   - purpose: the kind and owner of the secret; opening it requires the same.
    /// - Returns: the sealed secret.
    package func seal(_ secret: [UInt8], as purpose: SealingPurpose) -> SealedBytes {
        let nonce = randomBytes(SealedBytes.nonceCount)
        var tag = [UInt8](repeating: 0, count: SealedBytes.tagCount)
        let header = purpose.associatedData(key: identifier)
        let sealed = Self.run(secret, bytes, nonce, header, isSealing: true, tag: &tag)
        guard let sealed else { preconditionFailure("OpenSSL has no AES-256-GCM") }
        return SealedBytes(key: identifier, nonce: nonce, bytes: sealed + tag)
    }

    /// Decrypts a secret that was sealed as `purpose`.
    ///
    /// - Throws: ``SealRefusal`` when the key or the purpose is another, or the bytes are damaged.
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

    /// Encrypts and sets `tag`, or decrypts and checks it; nil when the tag does not match.
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
        // A secret may be empty, but the buffer must not be.
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
