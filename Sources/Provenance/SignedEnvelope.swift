package import Cryptography
package import Essentials

/// A statement with its signature: DSSE 1.0.2, as `cosign` and in-toto's tools read it.
///
/// Its contents are not verified until ``payload(provenBy:)`` returns them.
package struct SignedEnvelope: Codable, Sendable, Equatable {
    package struct Signature: Codable, Sendable, Equatable {
        /// The SHA-256 of the public key in hexadecimal.
        package let keyid: String
        package let sig: Data
    }

    package let payloadType: String
    private let payload: Data
    package let signatures: [Signature]

    /// Signs a payload.
    ///
    /// - Throws: `MalformedKey` when the key cannot sign.
    package init(
        signing payload: [UInt8],
        type: String,
        with key: PrivateKey,
    ) throws(MalformedKey) {
        payloadType = type
        self.payload = Data(payload)
        let signature = try key.sign(Self.message(type, Data(payload)))
        signatures = [
            Signature(keyid: PublicKey(of: key).fingerprint.description, sig: Data(signature))
        ]
    }

    /// Parses an envelope.
    ///
    /// - Throws: ``ProvenanceRefusal/unreadable(_:)``.
    package init(json: [UInt8]) throws(ProvenanceRefusal) {
        guard json.count <= Self.sizeLimit else { throw .unreadable("it is too large") }
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json))
        } catch {
            throw .unreadable("it is not a DSSE envelope")
        }
    }

    package static let sizeLimit = 1 << 20

    /// The envelope in JSON, with sorted keys and standard base64.
    package func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    /// The payload, if one of the signatures was made with the key.
    ///
    /// - Throws: ``ProvenanceRefusal`` otherwise.
    package func payload(provenBy key: PublicKey) throws(ProvenanceRefusal) -> [UInt8] {
        let message = Self.message(payloadType, payload)
        let own = signatures.prefix(16).filter { $0.keyid == key.fingerprint.description }
        guard !own.isEmpty else {
            throw .otherKey(
                PublicKey.Fingerprint(signatures.first?.keyid),
                expected: key.fingerprint,
            )
        }
        guard own.contains(where: { key.verifies(Array($0.sig), over: message) }) else {
            throw .badSignature
        }
        return Array(payload)
    }

    /// The pre-authentication encoding: type and payload with their lengths.
    private static func message(_ type: String, _ payload: Data) -> [UInt8] {
        Array("DSSEv1 \(type.utf8.count) \(type) \(payload.count) ".utf8) + payload
    }
}
