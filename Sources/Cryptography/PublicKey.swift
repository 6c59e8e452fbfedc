import Bytes
import COpenSSL

/// A public key, which verifies signatures.
package struct PublicKey: Sendable {
    /// SubjectPublicKeyInfo in DER.
    package let der: [UInt8]
    /// Nil when OpenSSL cannot parse its own output.
    private let object: OpenSSLObject?

    package init(of key: PrivateKey) {
        der = key.publicKey
        object = OpenSSLObject(publicKey: der)
    }

    /// Reads the first public key of a PEM file.
    package init(pem: String) throws(MalformedKey) {
        let blocks = PEM.blocks(in: pem) ?? []
        guard let block = blocks.first(where: { $0.label == "PUBLIC KEY" }) else {
            throw .noKeyInText
        }
        defer { OpenSSL.takeFailure() }
        guard let object = OpenSSLObject(publicKey: block.bytes) else {
            throw .notAKey(reason: nil)
        }
        der = block.bytes
        self.object = object
    }

    /// Reads a SubjectPublicKeyInfo; nil for other bytes.
    package init?(der: [UInt8]) {
        defer { OpenSSL.takeFailure() }
        guard let object = OpenSSLObject(publicKey: der) else { return nil }
        self.der = der
        self.object = object
    }

    package var pem: String { PEM.text("PUBLIC KEY", der) }

    /// The result of `check` on the OpenSSL key; false without one.
    func verifies(by check: (OpaquePointer) -> Bool) -> Bool {
        defer { OpenSSL.takeFailure() }
        return unsafe object? { key in unsafe check(key) } ?? false
    }

    /// Whether the key made `signature` over `message`.
    package func verifies(
        _ signature: [UInt8],
        over message: [UInt8],
        digest: DigestAlgorithm = .sha256,
    ) -> Bool {
        defer { OpenSSL.takeFailure() }
        return unsafe object? { key in
            unsafe OpenSSL.verifies(signature, over: message, by: key, digest: digest)
        } ?? false
    }
}

extension PublicKey: Equatable {
    package static func == (left: Self, right: Self) -> Bool { left.der == right.der }
}

extension PublicKey {
    /// The identifier of a key: the SHA-256 of its DER in hexadecimal.
    package struct Fingerprint: Sendable, Equatable, CustomStringConvertible {
        package let description: String

        /// Parses a fingerprint that a person typed; nil for anything but 64 hexadecimal digits.
        package init?(_ text: String?) {
            guard let text, Hex.decode(text)?.count == 32 else { return nil }
            description = text
        }

        fileprivate init(of der: [UInt8]) {
            description = SHA256Digest(of: der).description
        }

        /// The first 16 digits, enough for people to compare.
        package var short: String { String(description.prefix(16)) }
    }

    package var fingerprint: Fingerprint { Fingerprint(of: der) }
}
