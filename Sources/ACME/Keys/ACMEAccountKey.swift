import Bytes
package import Cryptography
import Essentials

/// The key of an account at an authority: P-256, for ES256 signatures (RFC 7518 section 3.4).
package struct ACMEAccountKey: Sendable {
    private let key: PrivateKey
    private let publicKey: JSONWebKey

    /// - Throws: ``ACMEFailure/key(_:)`` for a key on another curve.
    package init(_ key: PrivateKey) throws(ACMEFailure) {
        guard key.kind == .ellipticCurve("P-256"), let point = JSONWebKey(key.publicKey) else {
            throw .key(.unsupported(key.kind))
        }
        self.key = key
        publicKey = point
    }

    /// The key authorization for a challenge: the token and the thumbprint of the account key (RFC 8555
    /// section 8.1).
    package func authorization(of token: String) -> String {
        token + "." + Base64URL.text(SHA256Digest(of: Self.json(publicKey)).bytes)
    }

    /// Signs a request (RFC 8555 section 6.2).
    ///
    /// - Parameters:
    ///   - payload: JSON; empty for a request that only reads.
    ///   - address: the URL of the request, which the signature covers.
    ///   - nonce: the nonce from an earlier response.
    ///   - account: the URL of the account; nil to include the key itself, for a new account.
    /// - Returns: a JSON Web Signature in flattened JSON serialization (RFC 7515 section 7.2.2).
    /// - Throws: ``ACMEFailure/key(_:)`` when the key cannot sign.
    func signed(
        _ payload: [UInt8],
        to address: String,
        nonce: String,
        account: String?,
    ) throws(ACMEFailure) -> [UInt8] {
        let header = SignedHeader(
            jwk: account == nil ? publicKey : nil,
            kid: account,
            nonce: nonce,
            url: address,
        )
        let protected = Base64URL.text(Self.json(header))
        let body = Base64URL.text(payload)
        do throws(MalformedKey) {
            let signature = try key.sign(Array((protected + "." + body).utf8))
            guard let raw = RawSignature(der: signature) else {
                throw .cannotSign(reason: "the signature is not one of P-256")
            }
            return Self.json(
                FlattenedSignature(
                    protected: protected,
                    payload: body,
                    signature: Base64URL.text(raw.bytes),
                )
            )
        } catch {
            throw .key(error)
        }
    }

    /// JSON with sorted keys and without needless escapes, as a key's thumbprint requires (RFC 7638
    /// section 3).
    static func json(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and numbers can always be encoded as JSON.
        return [UInt8]((try? encoder.encode(value)) ?? Data())
    }
}

extension ACMEAccountKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "ACME account key" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The public key (RFC 7517), with only the members that its thumbprint covers.
private struct JSONWebKey: Encodable {
    let crv = "P-256"
    let kty = "EC"
    let x: String
    let y: String

    /// - Parameter info: SubjectPublicKeyInfo, which ends with the uncompressed point (RFC 5480 section
    ///   2.2).
    init?(_ info: [UInt8]) {
        let point = info.suffix(65)
        guard point.count == 65, point.first == 4 else { return nil }
        x = Base64URL.text(Array(point.dropFirst().prefix(32)))
        y = Base64URL.text(Array(point.suffix(32)))
    }
}

private struct SignedHeader: Encodable {
    let alg = "ES256"
    let jwk: JSONWebKey?
    let kid: String?
    let nonce: String
    let url: String
}

private struct FlattenedSignature: Encodable {
    let protected: String
    let payload: String
    let signature: String
}
