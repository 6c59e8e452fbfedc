import Bytes
import Cryptography
import Essentials

/// A signed token as received, not verified (RFC 7515 section 7.1).
struct WebToken: Sendable {
    /// The maximum length of a token, and of its header, in bytes.
    static let limit = 32 << 10
    private static let headerLimit = 4 << 10

    let algorithm: WebAlgorithm
    /// The key ID in its header.
    let keyIdentifier: String?
    /// The type in its header, in lower case.
    let type: String?
    private let payload: [UInt8]
    private let signature: [UInt8]
    private let signed: [UInt8]

    /// - Throws: ``SignInRefusal``: `unsigned`, `sharedKey`, `otherAlgorithm`, `unknownExtension` or
    ///   `badToken`.
    init(_ text: String) throws(SignInRefusal) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.limit, parts.count == 3,
            parts[0].count <= Self.headerLimit,
            let header = Base64URL.bytes(String(Substring(parts[0]))),
            let payload = Base64URL.bytes(String(Substring(parts[1])))
        else { throw SignInRefusal(.badToken) }
        let fields = try TokenFields(header, in: .badToken)
        guard let named = fields.text("alg") else { throw SignInRefusal(.unsigned) }
        // Compared without case, because attackers vary the case of `none`.
        guard !named.utf8.map({ $0 | 0x20 }).elementsEqual("none".utf8) else {
            throw SignInRefusal(.unsigned)
        }
        let shown = PrintableText(escaping: named, limit: 20).text
        guard !named.hasBytes(first: "HS") else { throw SignInRefusal(.sharedKey, shown) }
        guard let algorithm = WebAlgorithm(rawValue: named) else {
            throw SignInRefusal(.otherAlgorithm, shown)
        }
        guard !fields.has("crit"), !fields.has("b64") else {
            throw SignInRefusal(.unknownExtension)
        }
        guard let signature = Base64URL.bytes(String(Substring(parts[2]))), !signature.isEmpty
        else {
            throw SignInRefusal(.badToken)
        }
        self.algorithm = algorithm
        keyIdentifier = fields.text("kid")
        type = fields.text("typ")?.lowercased()
        self.payload = payload
        self.signature = signature
        signed = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
    }

    /// The claims, if one of the keys has signed the token.
    ///
    /// - Throws: ``SignInRefusal``: `unknownKey`, `otherAlgorithm` for keys with other algorithms, or
    ///   `badSignature`.
    func fields(signedBy keys: [WebKey]) throws(SignInRefusal) -> TokenFields {
        guard !keys.isEmpty else {
            let name = keyIdentifier.map { PrintableText(escaping: $0, limit: 60).text }
            throw SignInRefusal(.unknownKey, name ?? "it names none")
        }
        // The key determines the allowed algorithms; the token only names the one that was used.
        let fitting = keys.filter { $0.algorithms.contains(algorithm) }
        guard !fitting.isEmpty else { throw SignInRefusal(.otherAlgorithm, algorithm.rawValue) }
        guard
            fitting.contains(where: { $0.key.verifies(signature, over: signed, by: algorithm) })
        else { throw SignInRefusal(.badSignature) }
        return try TokenFields(payload, in: .badToken)
    }
}
