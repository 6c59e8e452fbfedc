import Bytes
import Cryptography
import Essentials

/// A provider's public key (RFC 7517), with the algorithms for which it may be used.
struct WebKey: Sendable {
    let identifier: String?
    let algorithms: Set<WebAlgorithm>
    let key: PublicKey

    /// - Returns: nil for a key that cannot verify tokens: for encryption, a shared secret, of another
    ///   kind, too short, or malformed.
    init?(_ fields: TokenFields) {
        guard let kind = fields.text("kty"), !fields.has("use") || fields.text("use") == "sig",
            fields.texts("key_ops").map({ $0.contains("verify") }) ?? !fields.has("key_ops"),
            let (key, possible) = Self.key(kind, fields)
        else { return nil }
        if fields.has("alg") {
            guard let named = fields.text("alg").flatMap(WebAlgorithm.init),
                possible.contains(named)
            else { return nil }
            algorithms = [named]
        } else {
            algorithms = possible
        }
        guard let identifier = fields["kid"] else {
            self.identifier = nil
            self.key = key
            return
        }
        guard case .text(let text) = identifier, text.utf8.count <= 256 else { return nil }
        self.identifier = text
        self.key = key
    }

    private static func key(
        _ kind: String,
        _ fields: TokenFields,
    ) -> (PublicKey, Set<WebAlgorithm>)? {
        func bytes(_ name: String) -> [UInt8]? {
            guard let text = fields.text(name), text.utf8.count <= 2048 else { return nil }
            return Base64URL.bytes(text)
        }
        switch kind {
        case "RSA":
            guard let modulus = bytes("n"), let exponent = bytes("e"),
                let key = PublicKey(modulus: modulus, exponent: exponent)
            else { return nil }
            return (key, [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512])
        case "EC":
            guard let curve = fields.text("crv").flatMap(PublicKey.Curve.init),
                let x = bytes("x"), let y = bytes("y"), let key = PublicKey(curve, x: x, y: y)
            else { return nil }
            return (key, [curve.algorithm])
        case "OKP":
            guard fields.text("crv") == "Ed25519", let x = bytes("x"),
                let key = PublicKey(ed25519: x)
            else { return nil }
            return (key, [.edDSA])
        default: return nil
        }
    }
}

extension PublicKey.Curve {
    fileprivate var algorithm: WebAlgorithm {
        switch self {
        case .p256: .es256
        case .p384: .es384
        case .p521: .es512
        }
    }
}

/// A provider's keys, with the time when they were fetched.
struct WebKeySet: Sendable {
    /// The maximum size of a key set in bytes; only the first ``countLimit`` keys are read.
    static let limit = 256 << 10
    private static let countLimit = 100

    let keys: [WebKey]
    let fetched: Date

    /// - Throws: ``SignInRefusal`` for anything but a key set.
    init(_ bytes: [UInt8], at date: Date) throws(SignInRefusal) {
        let fields = try TokenFields(bytes, in: .badAnswer)
        guard case .list(let values) = fields["keys"] else {
            throw SignInRefusal(.badAnswer, "its keys are not a list")
        }
        keys = values.prefix(Self.countLimit).compactMap { value in
            (try? JSONEncoder().encode(value)).flatMap { json in
                (try? TokenFields(Array(json), in: .badAnswer)).flatMap { WebKey($0) }
            }
        }
        fetched = date
    }

    /// The candidate keys for a token: those with its key ID or, without one, the only key.
    func keys(named identifier: String?) -> [WebKey] {
        if let identifier {
            return keys.filter { $0.identifier?.isBytes(of: identifier) ?? false }
        }
        return keys.count == 1 ? keys : []
    }
}
