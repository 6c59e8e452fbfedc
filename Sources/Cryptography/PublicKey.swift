import Bytes
import COpenSSL

/// A key that proves signatures.
package struct PublicKey: Sendable, Equatable {
    /// SubjectPublicKeyInfo.
    package let der: [UInt8]

    package init(of key: PrivateKey) {
        der = key.publicKey
    }

    /// Reads the first public key of a PEM file.
    package init(pem: String) throws(MalformedKey) {
        let blocks = PEM.blocks(in: pem) ?? []
        guard let block = blocks.first(where: { $0.label == "PUBLIC KEY" }) else {
            throw .noKeyInText
        }
        der = block.bytes
        defer { OpenSSL.takeFailure() }
        guard let key = unsafe decoded() else { throw .notAKey(reason: nil) }
        unsafe EVP_PKEY_free(key)
    }

    package var pem: String { PEM.text("PUBLIC KEY", der) }

    /// Whether the key made `signature` over `message`.
    package func verifies(
        _ signature: [UInt8],
        over message: [UInt8],
        digest: DigestAlgorithm = .sha256,
    ) -> Bool {
        defer { OpenSSL.takeFailure() }
        guard let key = unsafe decoded() else { return false }
        defer { unsafe EVP_PKEY_free(key) }
        return unsafe OpenSSL.verifies(signature, over: message, by: key, digest: digest)
    }

    private func decoded() -> OpaquePointer? {
        unsafe OpenSSL.decoded(
            der,
            { cursor, count in unsafe d2i_PUBKEY(nil, cursor, count) },
            { key in unsafe EVP_PKEY_free(key) },
        )
    }
}

extension PublicKey {
    /// What names a key: the SHA-256 of its bytes, hexadecimal.
    package struct Fingerprint: Sendable, Equatable, CustomStringConvertible {
        package let description: String

        /// Reads a fingerprint that a person typed; nil for anything but 64 hexadecimal digits.
        package init?(_ text: String?) {
            guard let text, Hex.decode(text)?.count == 32 else { return nil }
            description = text
        }

        fileprivate init(of der: [UInt8]) {
            description = SHA256Digest(of: der).description
        }

        /// The first digits, enough for people to compare.
        package var short: String { String(description.prefix(16)) }
    }

    package var fingerprint: Fingerprint { Fingerprint(of: der) }
}
